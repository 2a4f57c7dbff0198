import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import {
  findProhibitedCharacter,
  isCertifiableText,
  isPlaceholder,
  maxNameLength,
  type NameAttributeKey,
} from '@rubrica/pki';

/**
 * Fields that a certificate requires, each with the attribute that holds it and is cut the shortest. A
 * natural person's certificate names no position and no company, but a text of signs is a fault there too.
 */
const certifiedAttributes: Readonly<Record<string, NameAttributeKey>> = {
  applicantName: 'givenName',
  applicantLastName: 'commonName',
  positionCompany: 'title',
  companySocialReason: 'organizationName',
};

type Fields = Readonly<Record<string, unknown>>;

/** Fields that a certificate, or the record of its subscriber, shows to people. */
const shownTexts = [...Object.keys(certifiedAttributes), 'applicantSecondLastName', 'city', 'address'];

export interface UncertifiableText {
  readonly field: string;
  /** Expectation, which follows the field's name in a message. */
  readonly expectation: ErrorText;
}

/**
 * Finds texts that would leave an attribute of the certificate without a letter or a digit, by the rule of
 * generation.
 */
export function findUncertifiable(fields: Fields): readonly UncertifiableText[] {
  return Object.entries(certifiedAttributes).flatMap(([field, attribute]) => {
    const text = fields[field];
    if (typeof text !== 'string' || isCertifiableText(attribute, text)) return [];
    const expectation = isPlaceholder(text)
      ? createText('field.uncertifiable')
      : createText('field.uncertifiableStart', { count: maxNameLength(attribute) });
    return [{ field, expectation }];
  });
}

/**
 * Finds code points that stand for no letter: a replacement character, or a private, unassigned or
 * noncharacter one.
 */
export function findLostLetters(fields: Fields): readonly UncertifiableText[] {
  return shownTexts.flatMap((field) => {
    const text = fields[field];
    const lost = typeof text === 'string' ? findProhibitedCharacter(text) : undefined;
    if (lost === undefined) return [];
    const expectation = createText('field.letterLost', {
      character: formatCodePoint(lost),
    });
    return [{ field, expectation }];
  });
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Removes a second surname of signs alone, such as the dash that people type if they have none. */
export function withoutBlankSurname<Values extends Fields>(fields: Values): Values {
  const { applicantSecondLastName: second, ...others } = fields;
  return typeof second === 'string' && isPlaceholder(second) ? (others as unknown as Values) : fields;
}
