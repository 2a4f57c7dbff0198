import { findExtension, readPurposes } from '../../certificate/parse-extensions.ts';
import { oids } from '../../oids.ts';
import { type RuleRow, ruleTable } from '../rule.ts';

const responderExtensions: ReadonlySet<string> = new Set([
  oids.authorityKeyIdentifier,
  oids.subjectKeyIdentifier,
  oids.keyUsage,
  oids.extKeyUsage,
  oids.ocspNoCheck,
]);

/**
 * Rules for all certificates that do not apply to a responder's, which has other extensions and no addresses. The rules
 * below replace them.
 */
export const notForResponders: ReadonlySet<string> = new Set([
  'extensions_known',
  'access_present',
  'crl_points_present',
]);

function responderRule(row: RuleRow): RuleRow {
  return { ...row, appliesTo: 'responder' };
}

/** Limit of the lifetime, a month above the profile's own, so that an operator may extend it. */
const maxLifetimeMs = 120 * 24 * 3_600_000;

/** Rules on certificates of delegated OCSP responders. */
export const responderRules = ruleTable({
  responder_extensions: responderRule({
    source: "CABF BR §7.1.2.8; operator's profile",
    about: 'identifiers, usage, purpose and nocheck are its only extensions',
    check: ({ extensions }) => {
      const stranger = extensions.find(({ oid }) => !responderExtensions.has(oid));
      return stranger && `${stranger.oid} has no place in a responder's certificate`;
    },
  }),
  responder_purpose: responderRule({
    source: 'RFC 6960 §4.2.2.2',
    about: 'OCSPSigning is its only purpose',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.extKeyUsage);
      const purposes = extension ? readPurposes(extension) : [];
      return purposes.join() !== oids.ocspSigning && 'the purpose must be OCSPSigning alone';
    },
  }),
  responder_no_check: responderRule({
    source: 'RFC 6960 §4.2.2.2.1',
    about: 'id-pkix-ocsp-nocheck is there, its value NULL',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.ocspNoCheck);
      if (extension === undefined) return 'no id-pkix-ocsp-nocheck';
      return Buffer.from(extension.value).toString('hex') !== '0500' && 'its value is not NULL';
    },
  }),
  responder_short_life: responderRule({
    source: "RFC 6960 §4.2.2.2.1; operator's profile",
    about: 'it lives no longer than a certificate that nobody can revoke may live',
    check: ({ notBefore, notAfter }) =>
      notAfter.date.getTime() - notBefore.date.getTime() > maxLifetimeMs && 'it lives too long',
  }),
});
