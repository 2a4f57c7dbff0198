import { createHash } from 'node:crypto';
import { isCertifiableEmail } from '../../certificate/extensions.ts';
import { OTHER_NAME, otherNameType } from '../../certificate/identity-fields.ts';
import {
  findExtension,
  readAlternativeNames,
  readAuthorityKeyIdentifier,
  readSubjectKeyIdentifier,
} from '../../certificate/parse-extensions.ts';
import { type DerNode, readNode } from '../../der/read.ts';
import { oids } from '../../oids.ts';
import { extensionCheck, firstRepeated, hasExtension, sameBytes } from '../checks.ts';
import { ruleTable } from '../rule.ts';

const RFC822_NAME = 0x81;
const KEY_IDENTIFIER = 0x80;

function asLatin1(bytes: Uint8Array) {
  return Buffer.from(bytes).toString('latin1');
}

/** Rules on key identifiers and on the subscriber's alternative names. */
export const identifierRules = ruleTable({
  authority_key_identifier_present: {
    source: 'RFC 5280 §4.2.1.1',
    about: 'authorityKeyIdentifier is there',
    check: hasExtension(oids.authorityKeyIdentifier, 'authorityKeyIdentifier'),
  },
  authority_key_identifier_has_key: {
    source: 'RFC 5280 §4.2.1.1',
    about: 'authorityKeyIdentifier holds a keyIdentifier',
    check: extensionCheck(
      oids.authorityKeyIdentifier,
      (found) => readAuthorityKeyIdentifier(found) === undefined && 'no keyIdentifier in it',
    ),
  },
  authority_key_identifier_key_only: {
    source: 'CABF BR §7.1.2.11.1; RFC 5280 §4.2.1.1',
    about: 'authorityKeyIdentifier does not pin one certificate of the authority by issuer and serial number',
    check: extensionCheck(
      oids.authorityKeyIdentifier,
      ({ value }) =>
        readNode(value).children.some(({ tag }) => tag !== KEY_IDENTIFIER) &&
        'more than a keyIdentifier in it',
    ),
  },
  authority_key_identifier_matches: {
    source: 'RFC 5280 §4.2.1.1',
    about: "authorityKeyIdentifier is the authority's subjectKeyIdentifier",
    check: extensionCheck(oids.authorityKeyIdentifier, (found, { certificate, expected }) => {
      const keyId = readAuthorityKeyIdentifier(found);
      if (keyId === undefined) return undefined;
      const authoritys = findExtension(expected.issuer ?? certificate, oids.subjectKeyIdentifier);
      const matches = authoritys && sameBytes(keyId, readSubjectKeyIdentifier(authoritys));
      return !matches && "differs from the authority's subjectKeyIdentifier";
    }),
  },
  subject_key_identifier_present: {
    source: 'RFC 5280 §4.2.1.2',
    about: 'subjectKeyIdentifier is there',
    check: hasExtension(oids.subjectKeyIdentifier, 'subjectKeyIdentifier'),
  },
  subject_key_identifier_of_key: {
    source: 'RFC 7093 §2, method 1',
    about: 'subjectKeyIdentifier is derived from the key',
    check: extensionCheck(oids.subjectKeyIdentifier, (found, { certificate }) => {
      const wanted = createHash('sha256').update(certificate.publicKey.bits).digest().subarray(0, 20);
      return !wanted.equals(readSubjectKeyIdentifier(found)) && 'not derived from the key';
    }),
  },
  alternative_name_kinds: {
    source: "RFC 5280 §4.2.1.6; operator's profile",
    about: 'subjectAltName holds e-mail addresses and identity fields only',
    check: extensionCheck(oids.subjectAltName, ({ value }, { expected: { identityFields } }) => {
      const isOurs = (node: DerNode) =>
        node.tag === RFC822_NAME ||
        (identityFields !== undefined &&
          node.tag === OTHER_NAME &&
          otherNameType(node).startsWith(`${identityFields.arc}.`));
      return !readNode(value).children.every(isOurs) && 'a name that is no e-mail address';
    }),
  },
  alternative_name_email_form: {
    source: 'RFC 5280 §4.2.1.6',
    about: 'an e-mail address in subjectAltName is a plain ASCII mailbox',
    check: extensionCheck(
      oids.subjectAltName,
      (found) =>
        readAlternativeNames(found).some(
          ({ tag, content }) => tag === RFC822_NAME && !isCertifiableEmail(asLatin1(content)),
        ) && 'not the form of an address',
    ),
  },
  alternative_name_once: {
    source: 'RFC 5280 §4.2.1.6',
    severity: 'warning',
    about: 'subjectAltName holds no name twice',
    check: extensionCheck(
      oids.subjectAltName,
      (found) =>
        firstRepeated(
          readAlternativeNames(found).map(({ tag, content }) => `${tag}:${asLatin1(content)}`),
        ) !== undefined && 'a name stands twice',
    ),
  },
});
