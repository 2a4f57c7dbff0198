import { type ParsedIdentityField, readIdentityFields } from '../../certificate/identity-fields.ts';
import type { ParsedCertificate } from '../../certificate/parse.ts';
import { readText } from '../../der/text.ts';
import { tags } from '../../der/write.ts';
import { type NameAttributeKey, nameAttributes } from '../../name/attributes.ts';
import { boundedText, isPlaceholder, tidyText } from '../../name/bounded-text.ts';
import { nameValue } from '../../name/distinguished-name.ts';
import { joinSurnames } from '../../name/personal-name.ts';
import {
  countryName,
  type IdentityFieldName,
  type IdentityFieldSettings,
  identityFieldNumbers,
  privateIdentityFields,
} from '../../profile/identity-fields.ts';
import { firstRepeated } from '../checks.ts';
import { type Check, type Fault, type LintExpectation, ruleTable } from '../rule.ts';

const subscriber = 'subscriber';
const required: readonly IdentityFieldName[] = [
  'identificationNumber',
  'givenNames',
  'firstSurname',
  'country',
];

/** Creates a check of the fields; a certificate that should have none is only checked for having none. */
function checkFields(
  check: (
    fields: readonly ParsedIdentityField[],
    context: {
      certificate: ParsedCertificate;
      settings: IdentityFieldSettings;
      value: (name: IdentityFieldName) => string | undefined;
      expected: LintExpectation;
    },
  ) => Fault,
): Check {
  return (certificate, expected) => {
    const settings = expected.identityFields;
    if (settings === undefined) return undefined;
    const fields = readIdentityFields(certificate, settings);
    const value = (name: IdentityFieldName) => {
      const id = `${settings.arc}.${identityFieldNumbers[name]}`;
      const found = fields.find((field) => field.oid === id);
      return found && readText(found.value);
    };
    return check(fields, { certificate, settings, value, expected });
  };
}

/** Lists the identifiers of the fields that a certificate may have under the settings. */
function listAllowed({ arc, named }: IdentityFieldSettings): ReadonlySet<string> {
  const names = Object.keys(identityFieldNumbers) as IdentityFieldName[];
  const isShown = (name: IdentityFieldName) =>
    privateIdentityFields.every((field) => field !== name || named.includes(field));
  return new Set(names.filter(isShown).map((name) => `${arc}.${identityFieldNumbers[name]}`));
}

/** Subject attribute with the same content as a field; a shortened attribute is the field's beginning. */
const sameFacts: Partial<Record<IdentityFieldName, NameAttributeKey>> = {
  givenNames: 'givenName',
  position: 'title',
  institution: 'organizationName',
  company: 'organizationName',
  city: 'localityName',
};

/** Rules on the identity fields that Ecuadorian programs read instead of the subject. */
export const identityFieldRules = ruleTable({
  identity_fields_form: {
    source: "operator's profile",
    appliesTo: subscriber,
    about: 'identity fields stand in the form that is configured, and in no other',
    check: checkFields((fields, { settings: { form } }) => {
      const astray = fields.find((field) => field.form !== form);
      return astray && `${astray.oid} stands as ${astray.form}`;
    }),
  },
  identity_fields_present: {
    source: "operator's profile",
    appliesTo: subscriber,
    about: 'identification number, given names, first surname and country are there where fields are wanted',
    check: checkFields((_, { settings: { form }, value }) => {
      const missing = form === 'none' ? undefined : required.find((name) => value(name) === undefined);
      return missing && `${missing} is missing`;
    }),
  },
  identity_fields_known: {
    source: "operator's profile",
    appliesTo: subscriber,
    about: 'every identity field has a number of ours; address and phone only where a setting names them',
    check: checkFields((fields, { settings }) => {
      const known = listAllowed(settings);
      const stranger = fields.find((field) => !known.has(field.oid));
      return stranger && `${stranger.oid} is none of the fields`;
    }),
  },
  identity_fields_once: {
    source: "operator's profile",
    appliesTo: subscriber,
    about: 'no identity field stands twice in subjectAltName',
    check: checkFields((fields) => {
      const named = fields.filter(({ form }) => form === 'otherName').map((field) => field.oid);
      const repeated = firstRepeated(named);
      return repeated && `${repeated} more than once`;
    }),
  },
  identity_fields_text: {
    source: "operator's profile",
    appliesTo: subscriber,
    about: 'an identity field is one UTF8String with a text that a name might be, in NFC',
    check: checkFields((fields) => {
      for (const { oid, value } of fields) {
        if (value.tag !== tags.utf8String) return `${oid} is no UTF8String`;
        const text = readText(value);
        if (text !== tidyText(text) || isPlaceholder(text)) return `${oid} is no plain text`;
      }
      return undefined;
    }),
  },
  identity_fields_of_subject: {
    source: "operator's profile",
    appliesTo: subscriber,
    about: 'identity fields say what the subject says: number, names, company, RUC, place',
    check: checkFields((fields, { certificate: { subject }, value, expected }) => {
      if (fields.length === 0) return undefined;
      for (const [name, attribute] of Object.entries(sameFacts) as [IdentityFieldName, NameAttributeKey][]) {
        const [field, said] = [value(name), nameValue(subject, attribute)];
        const { maxLength } = nameAttributes[attribute];
        if (field !== undefined && boundedText(field, maxLength).value !== said) return `${name} differs`;
      }
      const pairs: readonly (readonly [IdentityFieldName, string | undefined, string | undefined])[] = [
        ['identificationNumber', value('identificationNumber'), nameValue(subject, 'serialNumber')?.slice(6)],
        ['firstSurname', surnamesIn(value), nameValue(subject, 'surname')],
        ['country', value('country'), countryName(nameValue(subject, 'countryName') ?? '')],
        [
          'ruc',
          value('ruc'),
          nameValue(subject, 'organizationIdentifier')?.slice(expected.rucPrefix.length + 1),
        ],
      ];
      const differing = pairs.find(([, field, said]) => field !== undefined && field !== said);
      return differing && `${differing[0]} differs`;
    }),
  },
});

function surnamesIn(value: (name: IdentityFieldName) => string | undefined): string | undefined {
  const firstSurname = value('firstSurname');
  if (firstSurname === undefined) return undefined;
  const surnames = joinSurnames({ firstSurname, secondSurname: value('secondSurname') });
  return boundedText(surnames, nameAttributes.surname.maxLength).value;
}
