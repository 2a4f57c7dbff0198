import { expectTag, readNode } from '../../der/read.ts';
import { tags } from '../../der/write.ts';
import { isPrintable, nameAttributes } from '../../name/attributes.ts';
import { isPlaceholder, prohibitedCharacters } from '../../name/bounded-text.ts';
import { firstRepeated, subjectCheck } from '../checks.ts';
import { ruleTable } from '../rule.ts';

const invisible = /\p{Cf}/u;

/** Rules on the encoding of the subject, independent of its content. */
export const subjectTextRules = ruleTable({
  subject_not_empty: {
    source: 'RFC 5280 §4.1.2.6',
    about: 'the subject is not empty',
    check: ({ subject }) => subject.attributes.length === 0 && 'empty subject',
  },
  subject_single_valued: {
    source: 'CABF BR §7.1.4.1',
    about: 'each relative distinguished name holds one attribute',
    check: ({ subject }) =>
      expectTag(readNode(subject.raw), tags.sequence).children.some(({ children }) => children.length > 1) &&
      'several attributes in one relative distinguished name',
  },
  subject_attributes_known: {
    source: "operator's profile",
    about: 'every attribute is one of our types',
    check: subjectCheck(({ type }) => type === undefined && 'attribute of no profile'),
  },
  subject_attributes_once: {
    source: 'ETSI EN 319 412-2 §4.2.4; CABF BR §7.1.4.1',
    about: 'no attribute stands twice',
    check: ({ subject }) => {
      const repeated = firstRepeated(subject.attributes.map(({ oid }) => oid));
      return repeated && `${repeated} more than once`;
    },
  },
  subject_attributes_not_empty: {
    source: 'X.520 (bounds begin at 1); RFC 5280 Appendix A.1',
    about: 'no attribute is empty',
    check: subjectCheck(({ value }) => value === '' && 'empty'),
  },
  subject_printable_string: {
    source: 'RFC 5280 Appendix A.1; X.520 §6.2.9, §6.3.1',
    about: 'countryName and serialNumber are PrintableString',
    check: subjectCheck(
      ({ type, stringTag }) =>
        type !== undefined &&
        nameAttributes[type].encoding === 'printable' &&
        stringTag !== tags.printableString &&
        'must be PrintableString',
    ),
  },
  subject_utf8_string: {
    source: 'RFC 5280 §4.1.2.4',
    about: 'all other attributes are UTF8String',
    check: subjectCheck(
      ({ type, stringTag }) =>
        type !== undefined &&
        nameAttributes[type].encoding === 'utf8' &&
        stringTag !== tags.utf8String &&
        'must be UTF8String',
    ),
  },
  subject_printable_characters: {
    source: 'X.680 §41.4',
    about: 'a PrintableString holds the characters of its type only',
    check: subjectCheck(
      ({ stringTag, value }) =>
        stringTag === tags.printableString && !isPrintable(value) && 'characters that PrintableString lacks',
    ),
  },
  subject_upper_bounds: {
    source: "RFC 5280 Appendix A.1; operator's profile",
    about:
      'no attribute is longer than its upper bound, in characters: 64 for most; 201 for surname and givenName, which the RFC bounds by 32768',
    check: subjectCheck(({ type, value }) => {
      const length = [...value].length;
      const most = type === undefined ? length : nameAttributes[type].maxLength;
      return length > most && `${length} characters, at most ${most}`;
    }),
  },
  subject_text_nfc: {
    source: 'RFC 5280 §7.1; RFC 4518 §2.3',
    about: 'text is composed (NFC)',
    check: subjectCheck(({ value }) => value !== value.normalize('NFC') && 'not NFC'),
  },
  subject_text_trimmed: {
    source: 'RFC 4518 §2.6.1; X.520 §7.2',
    about: 'no white space at either end, none doubled, no other than the space',
    check: subjectCheck(({ value }) => /^\s|\s$|\s\s|(?! )[\p{Z}]/u.test(value) && 'stray white space'),
  },
  subject_no_control_characters: {
    source: 'RFC 4518 §2.2',
    about: 'no control characters',
    check: subjectCheck(({ value }) => /\p{Cc}/u.test(value) && 'control characters'),
  },
  subject_no_invisible_characters: {
    source: 'RFC 4518 §2.2',
    about: 'no formatting characters, such as the ones that turn the direction of writing',
    check: subjectCheck(({ value }) => invisible.test(value) && 'invisible characters'),
  },
  subject_no_prohibited_characters: {
    source: 'RFC 4518 §2.4',
    about: 'no unassigned or private characters, no replacement character',
    check: subjectCheck(({ value }) => prohibitedCharacters.test(value) && 'characters without a meaning'),
  },
  subject_no_placeholder: {
    source: 'CABF BR §7.1.4.2',
    about: 'no attribute of signs alone, such as "-" for something that is absent',
    check: subjectCheck(({ value }) => value !== '' && isPlaceholder(value) && 'signs alone'),
  },
});
