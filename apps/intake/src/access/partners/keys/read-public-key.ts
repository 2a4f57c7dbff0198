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

/** Verifying with a larger one would take longer than the rest of a call. */
const rsaBits = { min: 2048, max: 4096 };
/** Of every program that makes keys; with 1 anybody could sign, and a long one is costly to verify with. */
const rsaExponent = 65_537n;

const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const whatKeys = createText('field.keyKind');

/** @returns why not, as a text that never quotes what was given: it may be a private key */
export function readPublicKey(given: string | Readonly<Record<string, unknown>>): KeyReading {
  if (isPrivate(given)) return { rejection: createText('field.privateKey') };
  const key = parse(given);
  if (key === undefined) return { rejection: createText('field.publicKey') };
  const algorithm = algorithmOf(key);
  if (algorithm === undefined) return { rejection: whatKeys };
  const jwk = requiredMembers(key.export({ format: 'jwk' }));
  return { algorithm, jwk, thumbprint: thumbprintOf(jwk) };
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
    // Node.js would also take a certificate, whose end and issuer we would not look at.
    return /^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(given) ? createPublicKey(given) : undefined;
  } catch {
    return undefined;
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyAlgorithm | undefined {
  const { modulusLength = 0, publicExponent, namedCurve } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'ed25519') return 'Ed25519';
  if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1' ? 'P-256' : undefined;
  const isRsa = asymmetricKeyType === 'rsa' && publicExponent === rsaExponent;
  return isRsa && modulusLength >= rsaBits.min && modulusLength <= rsaBits.max ? 'RSA' : undefined;
}

/** RFC 7638 §3.2: in this order, so that the same text makes the thumbprint. */
function requiredMembers({ crv, e, kty, n, x, y }: JsonWebKey): PublicJwk {
  const members = Object.entries({ crv, e, kty, n, x, y });
  return Object.fromEntries(members.filter((member): member is [string, string] => member[1] !== undefined));
}

function thumbprintOf(jwk: PublicJwk): string {
  return createHash('sha256').update(JSON.stringify(jwk)).digest('base64url');
}
