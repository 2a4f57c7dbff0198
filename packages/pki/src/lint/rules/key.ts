import { keyAlgorithms } from '../../certificate/algorithms.ts';
import { oids } from '../../oids.ts';
import type { LintRule } from '../rule.ts';

const smallPrimes = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
];

/** Remainder of a big-endian number by a small one, without making a bigint of it. */
const remainder = (bytes: Uint8Array, by: number) =>
  bytes.reduce((rest, octet) => (rest * 256 + octet) % by, 0);

/** Public key. */
export const keyRules: readonly LintRule[] = [
  {
    id: 'key_type_and_size',
    source: 'ETSI TS 119 312 §6.2',
    severity: 'error',
    appliesTo: 'any',
    check: ({ publicKey: { details } }, { keyAlgorithm }) => {
      const wanted = keyAlgorithms[keyAlgorithm];
      const fits =
        wanted.kind === 'rsa'
          ? details.kind === 'rsa' && details.modulusBits === wanted.modulusBits
          : details.kind === 'ec' && details.curveOid === oids.prime256v1;
      return fits ? undefined : `the key is not ${keyAlgorithm}`;
    },
  },
  {
    id: 'key_rsa_exponent',
    source: 'NIST SP 800-56B §6.4; CA/Browser Forum Baseline Requirements §6.1.6',
    severity: 'error',
    appliesTo: 'any',
    check: ({ publicKey: { details } }) => {
      if (details.kind !== 'rsa') return undefined;
      const sound =
        details.exponent % 2n === 1n && details.exponent >= 65537n && details.exponent < 2n ** 256n;
      return sound ? undefined : 'exponent even, too small or too large';
    },
  },
  {
    id: 'key_rsa_modulus',
    source: 'CA/Browser Forum Baseline Requirements §6.1.6',
    severity: 'error',
    appliesTo: 'any',
    check: ({ publicKey: { details } }) => {
      if (details.kind !== 'rsa') return undefined;
      if ((details.modulus.at(-1) ?? 0) % 2 === 0) return 'modulus is even';
      const divisor = smallPrimes.find((prime) => remainder(details.modulus, prime) === 0);
      return divisor === undefined ? undefined : `modulus divides by ${divisor}`;
    },
  },
  {
    id: 'key_ec_point',
    source: 'RFC 5480 §2.2',
    severity: 'error',
    appliesTo: 'any',
    check: ({ publicKey: { details } }) =>
      details.kind === 'ec' && !(details.uncompressed && details.pointBytes === 65)
        ? 'point is not in the uncompressed form'
        : undefined,
  },
  {
    id: 'key_is_not_the_issuers',
    source: 'RFC 5280 §4.2.1.1',
    severity: 'error',
    appliesTo: 'any',
    check: ({ publicKey }, { issuer }) =>
      issuer && Buffer.compare(publicKey.raw, issuer.publicKey.raw) === 0
        ? "the authority's own key"
        : undefined,
  },
];
