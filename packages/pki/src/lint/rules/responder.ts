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
 * Rules of any certificate that a responder's has no part in: it carries other extensions and no addresses. The
 * rules below stand in their place.
 */
export const notForResponders: ReadonlySet<string> = new Set([
  'extensions_known',
  'access_present',
  'crl_points_present',
]);

function ofResponder(row: RuleRow): RuleRow {
  return { ...row, appliesTo: 'responder' };
}

/** A month above the profile's own, so that an operator may stretch it. */
const maxLifetimeMs = 120 * 24 * 3_600_000;

/** Certificates of delegated OCSP responders. */
export const responderRules = ruleTable({
  responder_extensions: ofResponder({
    source: "CABF BR §7.1.2.8; operator's profile",
    about: 'identifiers, usage, purpose and nocheck are its only extensions',
    check: ({ extensions }) => {
      const stranger = extensions.find(({ oid }) => !responderExtensions.has(oid));
      return stranger && `${stranger.oid} has no place in a responder's certificate`;
    },
  }),
  responder_purpose: ofResponder({
    source: 'RFC 6960 §4.2.2.2',
    about: 'OCSPSigning is its only purpose',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.extKeyUsage);
      const purposes = extension ? readPurposes(extension) : [];
      return purposes.join() !== oids.ocspSigning && 'the purpose must be OCSPSigning alone';
    },
  }),
  responder_no_check: ofResponder({
    source: 'RFC 6960 §4.2.2.2.1',
    about: 'id-pkix-ocsp-nocheck is there, its value NULL',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.ocspNoCheck);
      if (extension === undefined) return 'no id-pkix-ocsp-nocheck';
      return Buffer.from(extension.value).toString('hex') !== '0500' && 'its value is not NULL';
    },
  }),
  responder_short_life: ofResponder({
    source: "RFC 6960 §4.2.2.2.1; operator's profile",
    about: 'it lives no longer than a certificate that nobody can revoke may live',
    check: ({ notBefore, notAfter }) =>
      notAfter.date.getTime() - notBefore.date.getTime() > maxLifetimeMs && 'it lives too long',
  }),
});
