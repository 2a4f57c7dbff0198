import { say } from '@rubrica/contracts/error-texts/say';
import { isCertifiableText, isPlaceholder, maxNameLength, type NameAttributeKey } from '@rubrica/pki';

/**
 * Fields that a certificate cannot do without, each with the attribute that is cut the shortest of those that hold it.
 * A natural person's certificate names no position and no company, but a text of signs is a fault there too.
 */
const certifiedAs: Readonly<Record<string, NameAttributeKey>> = {
  applicantName: 'givenName',
  applicantLastName: 'commonName',
  positionCompany: 'title',
  companySocialReason: 'organizationName',
};

type Fields = Readonly<Record<string, unknown>>;

export interface UncertifiableText {
  readonly field: string;
  /** Follows the field's name in a message. */
  readonly expectation: string;
}

/** Finds texts that would leave an attribute of the certificate without a letter or a digit, as generation decides it. */
export function findUncertifiable(fields: Fields): readonly UncertifiableText[] {
  return Object.entries(certifiedAs).flatMap(([field, attribute]) => {
    const text = fields[field];
    if (typeof text !== 'string' || isCertifiableText(attribute, text)) return [];
    const expectation = isPlaceholder(text)
      ? say('must hold a letter or a digit')
      : say(
          'must hold a letter or a digit in the whole words of its first {count} characters: a certificate holds no more',
          { count: maxNameLength(attribute) },
        );
    return [{ field, expectation }];
  });
}

/** The fields without a second surname of signs alone, such as the dash that people type where they have none. */
export function withoutBlankSurname<Values extends Fields>(fields: Values): Values {
  const { applicantSecondLastName: second, ...others } = fields;
  return typeof second === 'string' && isPlaceholder(second) ? (others as unknown as Values) : fields;
}
