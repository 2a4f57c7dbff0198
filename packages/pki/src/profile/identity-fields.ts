import { boundedText, isPlaceholder } from '../name/bounded-text.ts';
import type { Subscriber } from './subject.ts';
import type { SubscriberProfile } from './subscriber-profiles.ts';

/**
 * Numbers, below an arc of the authority, of the fields that Ecuadorian signing and invoice programs read instead of
 * the subject. The profiles of the authorities accredited there use the same numbers.
 */
export const identityFieldNumbers = {
  identificationNumber: 1,
  givenNames: 2,
  firstSurname: 3,
  secondSurname: 4,
  position: 5,
  institution: 6,
  address: 7,
  phone: 8,
  city: 9,
  company: 10,
  ruc: 11,
  country: 12,
} as const;
export type IdentityFieldName = keyof typeof identityFieldNumbers;

/**
 * Forms of the fields. `extensions`: one non-critical extension for each field, its value a UTF8String, as with most
 * authorities there. `otherName`: names of that type in subjectAltName.
 */
export const identityForms = ['extensions', 'otherName', 'none'] as const;

/**
 * Fields that certificates contain only if the operator allows it: everyone with a signed document has its certificate.
 */
export const privateIdentityFields = ['address', 'phone'] as const;

export type IdentityFieldSettings = {
  form: (typeof identityForms)[number];
  /** Object identifier below which the fields are numbered. */
  arc: string;
  /** Private fields that are certified. */
  named: readonly (typeof privateIdentityFields)[number][];
};

export type IdentityField = { name: IdentityFieldName; value: string };

/** Longest text of a registration, a company's name. Subject attributes with the same content may be cut shorter. */
const MAX_LENGTH = 250;

const countries: Readonly<Record<string, string>> = { EC: 'ECUADOR' };

/**
 * Builds the fields of a subscriber in the order of their numbers, with no more data than the subject of the profile.
 */
export function identityFields(
  profile: SubscriberProfile,
  subscriber: Subscriber,
  named: IdentityFieldSettings['named'],
): IdentityField[] {
  const has = (attribute: SubscriberProfile['subject'][number]) => profile.subject.includes(attribute);
  const organization = has('organizationName') ? subscriber.organizationName : undefined;
  const values: Record<IdentityFieldName, string | undefined> = {
    identificationNumber: subscriber.identificationNumber,
    givenNames: subscriber.givenNames,
    firstSurname: subscriber.firstSurname,
    secondSurname: subscriber.secondSurname,
    position: has('title') ? subscriber.title : undefined,
    institution: organization,
    address: named.includes('address') ? subscriber.address : undefined,
    phone: named.includes('phone') ? subscriber.phone : undefined,
    city: subscriber.locality,
    company: organization,
    ruc: has('organizationIdentifier') ? subscriber.ruc : undefined,
    country: countryName(subscriber.countryCode),
  };
  const names = Object.keys(values) as IdentityFieldName[];
  return names.flatMap((name) => {
    const { value } = boundedText(values[name] ?? '', MAX_LENGTH);
    return isPlaceholder(value) ? [] : [{ name, value }];
  });
}

/** Returns a country's name in the form of the fields: Spanish capitals, or its code if no name is known. */
export function countryName(code: string): string {
  return countries[code] ?? code;
}
