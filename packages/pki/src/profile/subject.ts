import {
  isPrintable,
  type NameAttribute,
  type NameAttributeKey,
  nameAttributes,
} from '../name/attributes.ts';
import { boundedText, isPlaceholder } from '../name/bounded-text.ts';
import { joinSurnames, personalName } from '../name/personal-name.ts';
import { failedResult, ok, type Result } from '../result.ts';
import type { SubscriberProfile } from './subscriber-profiles.ts';

/** Person that a certificate is for, as identified by the registration. */
export type Subscriber = {
  /** Cédula, 10 digits. */
  identificationNumber: string;
  givenNames: string;
  firstSurname: string;
  secondSurname?: string | undefined;
  /** Country of the identification number, ISO 3166-1 alpha-2. */
  countryCode: string;
  locality?: string | undefined;
  /** Tax number, 13 digits. */
  ruc?: string | undefined;
  organizationName?: string | undefined;
  /** Position in the organization. */
  title?: string | undefined;
  address?: string | undefined;
  /** E.164. */
  phone?: string | undefined;
};

export type Subject = {
  attributes: NameAttribute[];
  /** Attributes that were cut to their bound (rules: `boundedText`, and `personalName` for the common name). */
  truncated: NameAttributeKey[];
};

export type SubjectFault = { code: 'SUBJECT_INCOMPLETE'; attribute: NameAttributeKey };

/** Attributes that are never shortened: part of a number may be the number of another subscriber. */
const identifiers: ReadonlySet<NameAttributeKey> = new Set([
  'countryName',
  'serialNumber',
  'organizationIdentifier',
]);

/**
 * Builds the subject name of a subscriber: `serialNumber` is `IDCEC-<cédula>`, `organizationIdentifier`
 * `<prefix>-<RUC>` (EN 319 412-1 §5.1.3, §5.1.4). If the profile requires an attribute that the subscriber lacks, the
 * result is an error value; only the locality may be missing.
 */
export function subscriberSubject(
  profile: SubscriberProfile,
  subscriber: Subscriber,
  rucPrefix: string,
): Result<Subject, SubjectFault> {
  const values = attributeValues(subscriber, rucPrefix);
  const attributes: NameAttribute[] = [];
  const truncated: NameAttributeKey[] = [];
  for (const type of profile.subject) {
    const { maxLength, encoding } = nameAttributes[type];
    const { value, truncated: cut } =
      type === 'commonName'
        ? personalName({ givenNames: subscriber.givenNames, surnames: joinSurnames(subscriber) }, maxLength)
        : boundedText(values[type] ?? '', maxLength);
    const unusable =
      isPlaceholder(value) ||
      (type === 'surname' && isPlaceholder(subscriber.firstSurname)) ||
      (cut && identifiers.has(type)) ||
      (encoding === 'printable' && !isPrintable(value));
    if (unusable && type === 'localityName') continue;
    if (unusable) return failedResult({ code: 'SUBJECT_INCOMPLETE', attribute: type });
    attributes.push({ type, value });
    if (cut) truncated.push(type);
  }
  return ok({ attributes, truncated });
}

function attributeValues(
  subscriber: Subscriber,
  rucPrefix: string,
): Partial<Record<NameAttributeKey, string>> {
  const ruc = subscriber.ruc?.trim();
  const identificationNumber = subscriber.identificationNumber.trim();
  return {
    countryName: subscriber.countryCode,
    localityName: subscriber.locality,
    organizationName: subscriber.organizationName,
    organizationIdentifier: ruc && `${rucPrefix}-${ruc}`,
    title: subscriber.title,
    surname: joinSurnames(subscriber),
    givenName: subscriber.givenNames,
    serialNumber: identificationNumber && `IDCEC-${identificationNumber}`,
  };
}
