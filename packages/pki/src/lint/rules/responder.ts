import { findExtension, readPurposes } from '../../certificate/parse-extensions.ts';
import { oids } from '../../oids.ts';
import type { LintRule } from '../rule.ts';

const responderExtensions: ReadonlySet<string> = new Set([
  oids.authorityKeyIdentifier,
  oids.subjectKeyIdentifier,
  oids.keyUsage,
  oids.extKeyUsage,
  oids.ocspNoCheck,
]);

/**
 * Rules of any certificate that a responder's has no part in: it carries other extensions, another purpose and no
 * addresses. The rules below stand in their place.
 */
export const notForResponders: ReadonlySet<string> = new Set([
  'extensions_known',
  'extended_key_usage_sound',
  'access_ca_issuers',
  'crl_distribution_points',
]);

/** Certificates of delegated OCSP responders. */
export const responderRules: readonly LintRule[] = [
  {
    id: 'responder_extensions',
    source: "CA/Browser Forum Baseline Requirements §7.1.2.8; operator's profile",
    severity: 'error',
    appliesTo: 'responder',
    check: ({ extensions }) => {
      const stranger = extensions.find(({ oid }) => !responderExtensions.has(oid));
      return stranger && `${stranger.oid} has no place in a responder's certificate`;
    },
  },
  {
    id: 'responder_purpose',
    source: 'RFC 6960 §4.2.2.2',
    severity: 'error',
    appliesTo: 'responder',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.extKeyUsage);
      const purposes = extension ? readPurposes(extension) : [];
      return purposes.join() === oids.ocspSigning ? undefined : 'the purpose must be OCSPSigning alone';
    },
  },
  {
    id: 'responder_no_check',
    source: 'RFC 6960 §4.2.2.2.1',
    severity: 'error',
    appliesTo: 'responder',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.ocspNoCheck);
      if (extension === undefined) return 'no id-pkix-ocsp-nocheck';
      return Buffer.from(extension.value).toString('hex') === '0500' ? undefined : 'its value is not NULL';
    },
  },
  {
    id: 'responder_short_life',
    source: "RFC 6960 §4.2.2.2.1; operator's profile",
    severity: 'error',
    appliesTo: 'responder',
    check: ({ notBefore, notAfter }) =>
      notAfter.date.getTime() - notBefore.date.getTime() > MAX_LIFETIME_MS
        ? 'longer than a certificate that nobody can revoke may live'
        : undefined,
  },
];

/** A month above the profile's own, so that an operator may stretch it. */
const MAX_LIFETIME_MS = 120 * 24 * 3_600_000;
