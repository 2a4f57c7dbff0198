import { tags } from '../../der/write.ts';
import { nameAttributes } from '../../name/attributes.ts';
import { tidyText } from '../../name/bounded-text.ts';
import { nameValue, type ParsedName, type ParsedNameAttribute } from '../../name/distinguished-name.ts';
import type { LintRule } from '../rule.ts';

/** First complaint about an attribute of the name. */
function firstFault(
  name: ParsedName,
  faultOf: (attribute: ParsedNameAttribute) => string | undefined,
): string | undefined {
  for (const attribute of name.attributes) {
    const fault = faultOf(attribute);
    if (fault !== undefined) return `${attribute.type ?? attribute.oid}: ${fault}`;
  }
  return undefined;
}

/** Subject name. Messages name attributes and never quote what they say: findings are logged. */
export const subjectRules: readonly LintRule[] = [
  {
    id: 'subject_not_empty',
    source: 'RFC 5280 §4.1.2.6',
    severity: 'error',
    appliesTo: 'any',
    check: ({ subject }) => (subject.attributes.length === 0 ? 'empty subject' : undefined),
  },
  {
    id: 'subject_attributes_present',
    source: 'ETSI EN 319 412-2 §4.2.4',
    severity: 'error',
    appliesTo: 'any',
    check: ({ subject }, { requiredSubject }) => {
      const missing = requiredSubject.filter((type) => !nameValue(subject, type));
      return missing.length === 0 ? undefined : `missing: ${missing.join(', ')}`;
    },
  },
  {
    id: 'subject_attributes_known',
    source: "operator's profile",
    severity: 'error',
    appliesTo: 'any',
    check: ({ subject }) =>
      firstFault(subject, ({ type }) => (type === undefined ? 'attribute of no profile' : undefined)),
  },
  {
    id: 'subject_attributes_once',
    source: 'ETSI EN 319 412-2 §4.2.4',
    severity: 'error',
    appliesTo: 'any',
    check: ({ subject }) => {
      const seen = new Set<string>();
      return firstFault(subject, ({ oid }) =>
        seen.size === seen.add(oid).size ? 'more than once' : undefined,
      );
    },
  },
  {
    id: 'subject_string_types',
    source: 'RFC 5280 §4.1.2.4, Appendix A.1',
    severity: 'error',
    appliesTo: 'any',
    check: ({ subject }) =>
      firstFault(subject, ({ type, stringTag }) => {
        if (type === undefined) return undefined;
        const printable = nameAttributes[type].encoding === 'printable';
        if (stringTag === (printable ? tags.printableString : tags.utf8String)) return undefined;
        return `must be ${printable ? 'PrintableString' : 'UTF8String'}`;
      }),
  },
  {
    id: 'subject_upper_bounds',
    source: 'X.520 Annex C; RFC 5280 Appendix A.1',
    severity: 'error',
    appliesTo: 'any',
    check: ({ subject }) =>
      firstFault(subject, ({ type, value }) => {
        const length = [...value].length;
        if (length === 0) return 'empty';
        if (type === undefined || length <= nameAttributes[type].maxLength) return undefined;
        return `${length} characters, at most ${nameAttributes[type].maxLength}`;
      }),
  },
  {
    id: 'subject_text_clean',
    source: 'RFC 5280 §7.1 (NFC); X.520 §7.2',
    severity: 'error',
    appliesTo: 'any',
    check: ({ subject }) =>
      firstFault(subject, ({ value }) =>
        value === tidyText(value) ? undefined : 'not NFC, or with stray white space or control characters',
      ),
  },
  {
    id: 'subject_country_code',
    source: 'ISO 3166-1; X.520 §6.3.1',
    severity: 'error',
    appliesTo: 'any',
    check: ({ subject }) =>
      /^[A-Z]{2}$/.test(nameValue(subject, 'countryName') ?? '') ? undefined : 'not two upper-case letters',
  },
  {
    id: 'subject_serial_number_semantics',
    source: 'ETSI EN 319 412-1 §5.1.3',
    severity: 'error',
    appliesTo: 'holder',
    check: ({ subject }) =>
      /^IDCEC-\d{10}$/.test(nameValue(subject, 'serialNumber') ?? '')
        ? undefined
        : 'serialNumber is not IDCEC- and ten digits',
  },
  {
    id: 'subject_organization_identifier_semantics',
    source: 'ETSI EN 319 412-1 §5.1.4',
    severity: 'error',
    appliesTo: 'holder',
    check: ({ subject }, { rucPrefix }) => {
      const value = nameValue(subject, 'organizationIdentifier');
      if (value === undefined) return undefined;
      const number = value.startsWith(`${rucPrefix}-`) ? value.slice(rucPrefix.length + 1) : '';
      return /^\d{13}$/.test(number) ? undefined : `not ${rucPrefix}- and thirteen digits`;
    },
  },
  {
    id: 'subject_attributes_of_profile',
    source: "operator's profile",
    severity: 'error',
    appliesTo: 'holder',
    check: ({ subject }, { requiredSubject }) =>
      firstFault(subject, ({ type }) =>
        type === undefined || type === 'localityName' || requiredSubject.includes(type)
          ? undefined
          : 'not part of this profile',
      ),
  },
];
