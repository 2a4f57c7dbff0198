import { type KeyObject, sign, verify } from 'node:crypto';
import { type VouchedCaller, vouchedCallerSchema } from '@rubrica/contracts/shared/caller';
import { z } from 'zod';
import type { NamedKey, PeerKeys } from './key-files.ts';
import { KeyringError } from './keyring-error.ts';

/** The service that meets partners and operators, and alone may vouch for them. */
const gateway = 'gateway';
/** Bounds the harm of a token that leaks; the longest life a receiver accepts. */
const maxLifeSeconds = 300;
/** Between the clocks of two hosts. */
const skewSeconds = 5;

const tokenType = 'rubrica-identity+jwt';
const headerSchema = z.strictObject({ alg: z.literal('EdDSA'), typ: z.literal(tokenType), kid: z.string() });
const timesSchema = z.object({ iss: z.string(), iat: z.int(), exp: z.int() });

export type VerifiedIdentity = { caller: VouchedCaller; issuer: string; expiresAtMs: number };

/** A JWT (RFC 7519) signed with Ed25519 (RFC 8037) that says for whom a call is made. */
export function signIdentityToken(options: {
  service: string;
  key: NamedKey;
  caller: VouchedCaller;
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
 * Checks form, algorithm (one, never taken from the token), signature by a key of the service that presents it, times,
 * and whether that service may say what it says: the gateway alone speaks for partners and operators.
 *
 * @throws KeyringError
 */
export function verifyIdentityToken(
  token: string,
  { issuer, peers, nowMs }: { issuer: string; peers: ReadonlyMap<string, PeerKeys>; nowMs: number },
): VerifiedIdentity {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0) throw malformed();
  const { kid } = decode(header, headerSchema);
  const claims = decode(payload, timesSchema.and(vouchedCallerSchema));
  const { iss, iat, exp, ...caller } = claims;
  if (iss !== issuer) throw new KeyringError('issuer-not-allowed', `${issuer} presents a token of ${iss}`);
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
  return { caller, issuer, expiresAtMs: (exp + skewSeconds) * 1000 };
}

function keyOf(peers: ReadonlyMap<string, PeerKeys>, issuer: string, kid: string): KeyObject {
  const key = peers.get(issuer)?.verifying.get(kid);
  if (!key) throw new KeyringError('unknown-key', `${issuer} has no key ${kid} that is known here`);
  return key;
}

/** Without this any service that is broken into could act as any partner or operator. */
function assertMayVouch(issuer: string, caller: VouchedCaller): void {
  if (issuer === gateway) return;
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
