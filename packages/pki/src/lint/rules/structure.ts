import { signatureAlgorithmIdentifier } from '../../certificate/algorithms.ts';
import type { ParsedTime } from '../../certificate/parse.ts';
import { tags } from '../../der/write.ts';
import { oids } from '../../oids.ts';
import type { LintRule } from '../rule.ts';

const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

const allowedSignatures = [
  signatureAlgorithmIdentifier('sha256WithRSAEncryption'),
  signatureAlgorithmIdentifier('ecdsa-with-SHA256'),
];

function timeEncodingFault(name: string, { date, tag }: ParsedTime): string | undefined {
  const wanted = date.getUTCFullYear() < 2050 ? tags.utcTime : tags.generalizedTime;
  if (tag === wanted) return undefined;
  return `${name} in ${date.getUTCFullYear()} must be ${wanted === tags.utcTime ? 'UTCTime' : 'GeneralizedTime'}`;
}

/** Version, serial number, algorithms, issuer and validity. */
export const structureRules: readonly LintRule[] = [
  {
    id: 'version_3',
    source: 'RFC 5280 §4.1.2.1',
    severity: 'error',
    appliesTo: 'any',
    check: ({ version }) => (version === 3 ? undefined : `version is ${version}`),
  },
  {
    id: 'serial_positive',
    source: 'RFC 5280 §4.1.2.2',
    severity: 'error',
    appliesTo: 'any',
    check: ({ serial }) =>
      (serial[0] ?? 0) >= 0x80 || serial.every((octet) => octet === 0) ? 'not a positive number' : undefined,
  },
  {
    id: 'serial_at_most_20_octets',
    source: 'RFC 5280 §4.1.2.2',
    severity: 'error',
    appliesTo: 'any',
    check: ({ serial }) => (serial.length > 20 ? `${serial.length} octets` : undefined),
  },
  {
    id: 'serial_entropy',
    source: 'CA/Browser Forum Baseline Requirements §7.1',
    severity: 'error',
    appliesTo: 'any',
    // Entropy cannot be seen in one number; too few octets for 64 random bits, or octets all alike, can.
    check: ({ serial }) => {
      if (serial.length < 9) return `${serial.length} octets cannot hold 64 random bits under a sign bit`;
      return new Set(serial).size < 4 ? 'octets that nearly all repeat' : undefined;
    },
  },
  {
    id: 'signature_algorithms_match',
    source: 'RFC 5280 §4.1.1.2',
    severity: 'error',
    appliesTo: 'any',
    check: ({ signatureAlgorithm, tbsSignatureAlgorithm }) =>
      equal(signatureAlgorithm, tbsSignatureAlgorithm) ? undefined : 'inner and outer algorithm differ',
  },
  {
    id: 'signature_algorithm_allowed',
    source: 'ETSI TS 119 312; RFC 4055 §5; RFC 5758 §3.2',
    severity: 'error',
    appliesTo: 'any',
    check: ({ signatureAlgorithm, signatureAlgorithmOid }) =>
      allowedSignatures.some((allowed) => equal(allowed, signatureAlgorithm))
        ? undefined
        : `${signatureAlgorithmOid} or its parameters are not allowed`,
  },
  {
    id: 'signature_fits_issuer_key',
    source: 'RFC 5280 §4.1.1.2',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate, { issuer }) => {
      const { kind } = (issuer ?? certificate).publicKey.details;
      const wanted = kind === 'rsa' ? oids.sha256WithRsaEncryption : oids.ecdsaWithSha256;
      return certificate.signatureAlgorithmOid === wanted ? undefined : `the issuer's key is ${kind}`;
    },
  },
  {
    id: 'signature_whole_octets',
    source: 'RFC 5280 §4.1.1.3',
    severity: 'error',
    appliesTo: 'any',
    check: ({ signature }) =>
      signature.unusedBits === 0 && signature.bytes.length > 0 ? undefined : 'empty or with unused bits',
  },
  {
    id: 'issuer_is_authority_subject',
    source: 'RFC 5280 §4.1.2.4, §6.1.3',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate, { issuer }) =>
      equal(certificate.issuer.raw, (issuer ?? certificate).subject.raw)
        ? undefined
        : "issuer is not, byte for byte, the authority's subject",
  },
  {
    id: 'validity_encoding',
    source: 'RFC 5280 §4.1.2.5',
    severity: 'error',
    appliesTo: 'any',
    check: ({ notBefore, notAfter }) =>
      timeEncodingFault('notBefore', notBefore) ?? timeEncodingFault('notAfter', notAfter),
  },
  {
    id: 'validity_order',
    source: 'RFC 5280 §4.1.2.5',
    severity: 'error',
    appliesTo: 'any',
    check: ({ notBefore, notAfter }) =>
      notBefore.date < notAfter.date ? undefined : 'notAfter is not after notBefore',
  },
  {
    id: 'validity_within_profile',
    source: "operator's profile",
    severity: 'error',
    appliesTo: 'any',
    check: ({ notAfter }, { notAfterLimit }) =>
      notAfter.date > notAfterLimit ? `ends ${notAfter.date.toISOString()}, after the agreed end` : undefined,
  },
  {
    id: 'validity_within_issuer',
    source: 'RFC 5280 §6.1.3 (shell model)',
    severity: 'error',
    appliesTo: 'any',
    check: ({ notBefore, notAfter }, { issuer }) => {
      if (issuer === undefined) return undefined;
      const inside = notBefore.date >= issuer.notBefore.date && notAfter.date <= issuer.notAfter.date;
      return inside ? undefined : "outside the authority's own validity";
    },
  },
  {
    id: 'no_unique_identifiers',
    source: 'RFC 5280 §4.1.2.8',
    severity: 'error',
    appliesTo: 'any',
    check: ({ hasUniqueIdentifiers }) =>
      hasUniqueIdentifiers ? 'unique identifiers are present' : undefined,
  },
];
