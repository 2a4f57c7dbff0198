import { generatePrimeSync } from 'node:crypto';
import * as extension from '../../src/certificate/extensions.ts';
import * as der from '../../src/der/write.ts';
import {
  hasCloseFactors,
  hasRocaMark,
  rocaProduct,
  smallFactor,
  toBigInt,
} from '../../src/lint/weak-keys.ts';
import { oids } from '../../src/oids.ts';
import { makeKey, parsed } from '../fixtures.ts';
import { rebuild, withExtension } from '../rebuild.ts';
import { type Change, type LintCases, rsa, subscriber } from './lint-case.ts';

/** The certificate of another key, its key identifier made anew. */
const keyed =
  (spkiOf: (good: Uint8Array) => Uint8Array): Change =>
  (good) => {
    const spki = spkiOf(good);
    const keyId = extension.subjectKeyIdentifier(extension.keyIdentifier(spki));
    return rebuild(
      rebuild(good, { spki }),
      withExtension(oids.subjectKeyIdentifier, () => keyId),
    );
  };

const toBytes = (value: bigint): Buffer => {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
};

const rsaKey = (modulus: bigint, exponent = 65537n, parameters: Uint8Array = der.nullValue()) =>
  der.sequence(
    der.sequence(der.oid(oids.rsaEncryption), parameters),
    der.bitString(
      der.sequence(der.unsignedInteger(toBytes(modulus)), der.unsignedInteger(toBytes(exponent))),
    ),
  );

const modulusOf = (good: Uint8Array): bigint => {
  const { details } = parsed(good).publicKey;
  if (details.kind !== 'rsa') throw new Error('an RSA certificate is needed');
  return toBigInt(details.modulus);
};

/** The nearest number of this step above that has no weakness but the one that is asked for. */
function nearest(from: bigint, step: bigint, isWanted: (modulus: bigint) => boolean): bigint {
  let modulus = from;
  while (!isWanted(modulus)) modulus += step;
  return modulus;
}
const hasNoFactor = (modulus: bigint) => smallFactor(modulus) === undefined;

const divisibleBy751 = (good: Uint8Array) =>
  nearest(modulusOf(good) - (modulusOf(good) % 751n), 751n, (modulus) => smallFactor(modulus) === 751);

/** One above a multiple of the marked primes: every power of 65537 begins with it. */
const marked = (good: Uint8Array) =>
  nearest(modulusOf(good) - (modulusOf(good) % rocaProduct) + 1n, rocaProduct, hasNoFactor);

const close = () => {
  const bound = { bigint: true, safe: false } as const;
  // The upper bits set, so that the product has 2,048 bits.
  const first = generatePrimeSync(1024, bound) | (3n << 1022n);
  const p = nearest(first, 2n, hasNoFactor);
  return p * nearest(p + 2n, 2n, hasNoFactor);
};

const P256_FIELD = [der.oid('1.2.840.10045.1.1'), der.unsignedInteger(Buffer.alloc(32, 0xff))];

const pointOf = (good: Uint8Array) => Buffer.from(parsed(good).publicKey.bits);
const ecKey = (point: Uint8Array, parameters: Uint8Array = der.oid(oids.prime256v1)) =>
  der.sequence(der.sequence(der.oid(oids.ecPublicKey), parameters), der.bitString(point));

export const keyCases: LintCases = {
  key_type_and_size: rsa(keyed(() => makeKey('rsa', 3072).spki)),
  key_is_not_the_issuers: subscriber((good, issuer) => keyed(() => issuer.key.spki)(good, issuer)),
  key_rsa_parameters_null: rsa(keyed((good) => rsaKey(modulusOf(good), 65537n, new Uint8Array()))),
  key_rsa_exponent_odd: rsa(keyed((good) => rsaKey(modulusOf(good), 65538n))),
  key_rsa_exponent_range: rsa(
    keyed((good) => rsaKey(modulusOf(good), 3n)),
    { good: keyed((good) => rsaKey(modulusOf(good), 2n ** 256n - 1n)) },
  ),
  key_rsa_modulus_odd: rsa(
    keyed((good) => rsaKey(nearest(modulusOf(good) - 1n, 2n, (n) => !hasCloseFactors(n)))),
  ),
  key_rsa_no_small_factor: rsa(keyed((good) => rsaKey(divisibleBy751(good)))),
  key_rsa_no_close_factors: rsa(keyed(() => rsaKey(close()))),
  key_rsa_not_roca: rsa(
    keyed((good) => rsaKey(marked(good))),
    {
      good: keyed((good) => rsaKey(nearest(marked(good) + 2n, 2n, (n) => hasNoFactor(n) && !hasRocaMark(n)))),
    },
  ),
  key_ec_named_curve: subscriber(
    keyed((good) => ecKey(pointOf(good), der.sequence(der.integer(1), der.sequence(...P256_FIELD)))),
    { also: ['key_type_and_size'] },
  ),
  key_ec_uncompressed: subscriber(
    keyed((good) => ecKey(Buffer.concat([Uint8Array.of(2), pointOf(good).subarray(1, 33)]))),
  ),
  key_ec_on_curve: subscriber(
    keyed((good) => {
      const point = pointOf(good);
      point[64] = (point[64] ?? 0) ^ 1;
      return ecKey(point);
    }),
  ),
};
