import { readNode } from '../../src/der/read.ts';
import * as der from '../../src/der/write.ts';
import { oids } from '../../src/oids.ts';
import { parsed } from '../fixtures.ts';
import { rebuild } from '../rebuild.ts';
import {
  addAttribute,
  attribute,
  authority,
  type Change,
  type LintCases,
  parts,
  subscriber,
} from './lint-case.ts';

const surname = (text: string) => attribute('surname', der.utf8String(text));
const title = (text: string) => attribute('title', der.utf8String(text));
const serialNumber = (text: string) => attribute('serialNumber', der.printableString(text));
const identifier = (text: string) => attribute('organizationIdentifier', der.utf8String(text));
const country = (text: string) => attribute('countryName', der.printableString(text));

/** The last two attributes in one relative distinguished name. */
const joined: Change = (good) => {
  const rdns = readNode(parsed(good).subject.raw).children;
  const last = der.encodeSet(...rdns.slice(-2).flatMap(({ children }) => children.map(({ raw }) => raw)));
  return rebuild(good, { subject: der.sequence(...rdns.slice(0, -2).map(({ raw }) => raw), last) });
};

export const subjectCases: LintCases = {
  subject_not_empty: subscriber(parts({ subject: der.sequence() }), {
    also: [
      'subject_attributes_present',
      'subject_country_present',
      'subject_common_name_present',
      'subject_serial_number_present',
      'subject_person_named',
    ],
  }),
  subject_single_valued: subscriber(joined),
  subject_attributes_known: subscriber(addAttribute('2.5.4.46', der.printableString('A1'))),
  subject_attributes_once: subscriber(addAttribute('2.5.4.12', der.utf8String('Presidente'))),
  subject_attributes_not_empty: subscriber(attribute('localityName', der.utf8String(''))),
  subject_printable_string: subscriber(attribute('countryName', der.utf8String('EC'))),
  subject_utf8_string: subscriber(attribute('commonName', der.printableString('Ana'))),
  subject_printable_characters: subscriber(serialNumber('IDCEC_1710034065'), {
    also: ['subject_serial_number_semantics'],
  }),
  subject_upper_bounds: subscriber(title('Ñ'.repeat(65)), { good: title('Ñ'.repeat(64)) }),
  subject_text_nfc: subscriber(surname('PEN\u0303A'), { good: surname('PEÑA') }),
  subject_text_trimmed: subscriber(surname('DE\u00a0LA CRUZ'), { good: surname('DE LA CRUZ') }),
  subject_no_control_characters: subscriber(surname('PE\u0007A')),
  subject_no_invisible_characters: subscriber(surname('\u202eAÑEP')),
  subject_no_prohibited_characters: subscriber(surname('PE\ufffdA')),
  subject_no_placeholder: subscriber(attribute('localityName', der.utf8String('-.-')), {
    good: attribute('localityName', der.utf8String("D'Ávila-7")),
  }),

  subject_attributes_present: subscriber(attribute('title', undefined)),
  subject_attributes_of_profile: subscriber(addAttribute('2.5.4.11', der.utf8String('Ventas'))),
  subject_country_present: authority(attribute('countryName', undefined), {
    also: ['subject_attributes_present'],
  }),
  subject_common_name_present: subscriber(attribute('commonName', undefined), {
    also: ['subject_attributes_present'],
  }),
  subject_serial_number_present: subscriber(attribute('serialNumber', undefined), {
    also: ['subject_attributes_present'],
  }),
  subject_person_named: subscriber(attribute('surname', undefined), { also: ['subject_attributes_present'] }),
  subject_pseudonym_alone: subscriber(addAttribute(oids.pseudonym, der.utf8String('La Llorona')), {
    also: ['subject_attributes_known'],
  }),
  subject_no_email_address: subscriber(addAttribute(oids.emailAddress, der.ia5String('maria@example.test')), {
    also: ['subject_attributes_known'],
  }),
  subject_country_code: subscriber(country('ec')),
  subject_serial_number_semantics: subscriber(serialNumber('1710034065')),
  subject_organization_identifier_semantics: subscriber(identifier('VATEC-17900123450')),
  subject_organization_identifier_scheme: subscriber(identifier('RUCEC-1790012345001'), {
    expected: (expected) => ({ ...expected, rucPrefix: 'RUCEC' }),
  }),
  subject_differs_from_issuer: authority((good, issuer) =>
    rebuild(good, { subject: issuer.parsed.subject.raw }),
  ),
};
