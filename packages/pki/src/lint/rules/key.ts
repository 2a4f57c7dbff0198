import { keyAlgorithms } from '../../certificate/algorithms.ts';
import { nullValue } from '../../der/write.ts';
import { oids } from '../../oids.ts';
import { ecKeyCheck, rsaKeyCheck, sameBytes } from '../checks.ts';
import { ruleTable } from '../rule.ts';
import { hasCloseFactors, hasRocaMark, isOnP256, smallFactor, toBigInt } from '../weak-keys.ts';

const UNCOMPRESSED_P256_OCTETS = 65;

function isUncompressed(point: Uint8Array) {
  return point[0] === 4 && point.length === UNCOMPRESSED_P256_OCTETS;
}

/** Rules on the public key. */
export const keyRules = ruleTable({
  key_type_and_size: {
    source: 'ETSI TS 119 312 §6.2',
    about: 'the key is of the configured kind and size',
    check: ({ publicKey: { details } }, { keyAlgorithm }) => {
      const wanted = keyAlgorithms[keyAlgorithm];
      const fits =
        wanted.kind === 'rsa'
          ? details.kind === 'rsa' && details.modulusBits === wanted.modulusBits
          : details.kind === 'ec' && details.curveOid === oids.prime256v1;
      return !fits && `the key is not ${keyAlgorithm}`;
    },
  },
  key_is_not_the_issuers: {
    source: 'RFC 5280 §4.2.1.1',
    about: "the key is not the authority's own",
    check: ({ publicKey }, { issuer }) =>
      issuer && sameBytes(publicKey.raw, issuer.publicKey.raw) && "the authority's own key",
  },
  key_rsa_parameters_null: {
    source: 'RFC 3279 §2.3.1',
    about: 'the parameters of rsaEncryption are NULL',
    check: rsaKeyCheck(
      (_, { parameters }) => !(parameters && sameBytes(parameters, nullValue())) && 'parameters are not NULL',
    ),
  },
  key_rsa_exponent_odd: {
    source: 'CABF BR §6.1.6',
    about: 'the public exponent is odd',
    check: rsaKeyCheck(({ exponent }) => exponent % 2n === 0n && 'exponent is even'),
  },
  key_rsa_exponent_range: {
    source: 'CABF BR §6.1.6; NIST SP 800-56B §6.4',
    about: 'the public exponent is at least 65537 and below 2^256',
    check: rsaKeyCheck(
      ({ exponent }) => (exponent < 65537n || exponent >= 2n ** 256n) && 'exponent too small or too large',
    ),
  },
  key_rsa_modulus_odd: {
    source: 'CABF BR §6.1.6',
    about: 'the modulus is odd',
    check: rsaKeyCheck(({ modulus }) => (modulus.at(-1) ?? 0) % 2 === 0 && 'modulus is even'),
  },
  key_rsa_no_small_factor: {
    source: 'CABF BR §6.1.6',
    about: 'no odd prime below 752 divides the modulus',
    check: rsaKeyCheck(({ modulus }) => {
      const factor = smallFactor(toBigInt(modulus));
      return factor !== undefined && factor !== 2 && `modulus divides by ${factor}`;
    }),
  },
  key_rsa_no_close_factors: {
    source: 'CABF BR §6.1.1.3 (close primes)',
    about: "Fermat's method does not factor the modulus in 100 rounds",
    check: rsaKeyCheck(({ modulus }) => hasCloseFactors(toBigInt(modulus)) && 'its factors are close'),
  },
  key_rsa_not_roca: {
    source: 'CVE-2017-15361; CABF BR §6.1.1.3',
    about: 'the modulus lacks the mark of the ROCA weakness',
    check: rsaKeyCheck(({ modulus }) => hasRocaMark(toBigInt(modulus)) && 'made by a weak generator'),
  },
  key_ec_named_curve: {
    source: 'RFC 5480 §2.1.1',
    about: 'the curve is named, not described',
    check: ecKeyCheck(({ curveOid }) => curveOid === undefined && 'parameters do not name a curve'),
  },
  key_ec_uncompressed: {
    source: 'RFC 5480 §2.2',
    about: 'the point is in the uncompressed form',
    check: ecKeyCheck((_, { bits }) => !isUncompressed(bits) && 'point is not in the uncompressed form'),
  },
  key_ec_on_curve: {
    source: 'CABF BR §6.1.6; NIST SP 800-56A §5.6.2.3',
    about: 'the point lies on the curve',
    check: ecKeyCheck(
      (_, { bits }) => isUncompressed(bits) && !isOnP256(bits) && 'point is not on the curve',
    ),
  },
});
