import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { KeyAlgorithm, PublicJwk } from './partner-key.entity.ts';

export interface ReadKey {
  readonly algorithm: KeyAlgorithm;
  readonly jwk: PublicJwk;
  readonly thumbprint: string;
}

export type KeyReading = ReadKey | { readonly rejection: ErrorText };

/** Accepted sizes of an RSA key. Verifying with a larger one would take longer than the rest of a call. */
const rsaBits = { min: 2048, max: 4096 };
/**
 * Exponent that every key generator uses. With 1 anyone could sign, and a long one is expensive to verify
 * with.
 */
const rsaExponent = 65_537n;

const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const acceptedKinds = createText('field.keyKind');

/**
 * Reads a public key.
 * @returns the reason for a rejection, as a text that never quotes the input: it may be a private key
 */
export function readPublicKey(given: string | Readonly<Record<string, unknown>>): KeyReading {
  if (isPrivate(given)) return { rejection: createText('field.privateKey') };
  const key = parse(given);
  if (key === undefined) return { rejection: createText('field.publicKey') };
  const algorithm = detectAlgorithm(key);
  if (algorithm === undefined) return { rejection: acceptedKinds };
  const jwk = selectRequiredMembers(key.export({ format: 'jwk' }));
  return { algorithm, jwk, thumbprint: computeThumbprint(jwk) };
}

function isPrivate(given: string | Readonly<Record<string, unknown>>): boolean {
  if (typeof given === 'string') return given.includes('PRIVATE KEY');
  return secretMembers.some((member) => member in given);
}

function parse(given: string | Readonly<Record<string, unknown>>): KeyObject | undefined {
  try {
    if (typeof given !== 'string') {
      const { kty, crv, n, e, x, y } = given as JsonWebKey;
      return createPublicKey({ key: { kty, crv, n, e, x, y } as JsonWebKey, format: 'jwk' });
    }
    // Node.js would also accept a certificate, whose end and issuer would not be checked.
    return /^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(given) ? createPublicKey(given) : undefined;
  } catch {
    return undefined;
  }
}

function detectAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyAlgorithm | undefined {
  const { modulusLength = 0, publicExponent, namedCurve } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'ed25519') return 'Ed25519';
  if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1' ? 'P-256' : undefined;
  const isRsa = asymmetricKeyType === 'rsa' && publicExponent === rsaExponent;
  return isRsa && modulusLength >= rsaBits.min && modulusLength <= rsaBits.max ? 'RSA' : undefined;
}

/** Selects the members of RFC 7638 §3.2 in its order, so that the same text makes the thumbprint. */
function selectRequiredMembers({ crv, e, kty, n, x, y }: JsonWebKey): PublicJwk {
  const members = Object.entries({ crv, e, kty, n, x, y });
  return Object.fromEntries(members.filter((member): member is [string, string] => member[1] !== undefined));
}

function computeThumbprint(jwk: PublicJwk): string {
  return createHash('sha256').update(JSON.stringify(jwk)).digest('base64url');
}
