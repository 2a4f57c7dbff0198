import { type KeyObject, sign, verify } from 'node:crypto';
import { type Caller, callerSchema } from '@rubrica/contracts/shared/caller';
import { z } from 'zod';
import type { NamedKey, PeerKeys } from './key-files.ts';
import { KeyringError } from './keyring-error.ts';

/** The service that meets partners, operators and the public, and alone may vouch for them. */
const gateway = 'gateway';
/** Bounds the harm of a token that leaks; the longest life a receiver accepts. */
const maxLifeSeconds = 300;
/** Between the clocks of two hosts. */
const skewSeconds = 5;

const tokenType = 'rubrica-identity+jwt';
const headerSchema = z.strictObject({ alg: z.literal('EdDSA'), typ: z.literal(tokenType), kid: z.string() });
const timesSchema = z.object({ iss: z.string(), iat: z.int(), exp: z.int() });

export type VerifiedIdentity = { caller: Caller; expiresAtMs: number };

/** A JWT (RFC 7519) signed with Ed25519 (RFC 8037) that says for whom a call is made. */
export function signIdentityToken(options: {
  service: string;
  key: NamedKey;
  caller: Caller;
  nowMs: number;
  ttlSeconds: number;
}): string {
  const { service, key, caller, nowMs, ttlSeconds } = options;
  const iat = Math.floor(nowMs / 1000);
  const header = encode({ alg: 'EdDSA', typ: tokenType, kid: key.kid });
  const payload = encode({ iss: service, iat, exp: iat + ttlSeconds, ...caller });
  const signature = sign(null, Buffer.from(`${header}.${payload}`), key.key);
  return `${header}.${payload}.${signature.toString('base64url')}`;
}

/**
 * Checks form, algorithm (one, never taken from the token), signature by a key of the named issuer, times,
 * and whether that issuer may say what it says: a service speaks for itself, the gateway for people.
 *
 * @throws KeyringError
 */
export function verifyIdentityToken(
  token: string,
  peers: ReadonlyMap<string, PeerKeys>,
  nowMs: number,
): VerifiedIdentity {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0) throw malformed();
  const { kid } = decode(header, headerSchema);
  const claims = decode(payload, timesSchema.and(callerSchema));
  const { iss, iat, exp, ...caller } = claims;
  const key = keyOf(peers, iss, kid);
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) {
    throw new KeyringError('not-authentic', `the signature of key ${kid} does not match`);
  }
  const now = nowMs / 1000;
  if (exp + skewSeconds <= now) throw new KeyringError('expired', `the token of ${iss} has expired`);
  if (iat - skewSeconds > now || exp - iat > maxLifeSeconds) {
    throw new KeyringError('expired', `the token of ${iss} has times that are not allowed`);
  }
  assertMayVouch(iss, caller);
  return { caller, expiresAtMs: (exp + skewSeconds) * 1000 };
}

function keyOf(peers: ReadonlyMap<string, PeerKeys>, issuer: string, kid: string): KeyObject {
  const key = peers.get(issuer)?.verifying.get(kid);
  if (!key) throw new KeyringError('unknown-key', `${issuer} has no key ${kid} that is known here`);
  return key;
}

/** Without this any service that is broken into could act as any partner or operator. */
function assertMayVouch(issuer: string, caller: Caller): void {
  const allowed = caller.kind === 'service' ? caller.name === issuer : issuer === gateway;
  if (allowed) return;
  throw new KeyringError('issuer-not-allowed', `${issuer} may not speak for a ${caller.kind}`);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode<Schema extends z.ZodType>(part: string, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
  } catch {
    throw malformed();
  }
}

function malformed(): KeyringError {
  return new KeyringError('malformed', 'this is not an identity token');
}
