import { type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { NamedKey } from './key-files.ts';
import { KeyringError } from './keyring-error.ts';

/** Signed statement of a service, which anyone can verify for as long as the key is known. */
export interface SignedStatement {
  readonly kid: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Verifying keys by key id, and by the service that owns them. */
export type VerifyingKeys = ReadonlyMap<string, { readonly verifying: ReadonlyMap<string, KeyObject> }>;

const headerSchema = z.strictObject({ alg: z.literal('EdDSA'), typ: z.string(), kid: z.string() });
const claimsSchema = z.record(z.string(), z.unknown());

/**
 * Signs a compact JWS (RFC 7515) with Ed25519 (RFC 8037), readable by any JOSE library. `type` prevents statements of
 * different kinds, such as access and call tokens, from being confused (RFC 8725 §3.11).
 */
export function signStatement(key: NamedKey, type: string, claims: object): string {
  const header = encode({ alg: 'EdDSA', typ: type, kid: key.kid });
  const payload = encode(claims);
  const signature = sign(null, Buffer.from(`${header}.${payload}`), key.key);
  return `${header}.${payload}.${signature.toString('base64url')}`;
}

/** Properties that a statement must have to be accepted. */
export interface ExpectedStatement {
  readonly type: string;
  /** Service whose key must have signed it. */
  readonly issuer: string;
  /** Required value of `iss`, if it is not the service's name. */
  readonly iss?: string;
}

/**
 * Verifies a statement.
 * @throws KeyringError `malformed`, `unknown-key` or `not-authentic`
 */
export function verifyStatement(
  jws: string,
  { type, issuer, iss = issuer }: ExpectedStatement,
  keys: VerifyingKeys,
): SignedStatement {
  const [header = '', payload = '', signature = '', ...rest] = jws.split('.');
  if (rest.length > 0) throw malformed();
  const { typ, kid } = decode(header, headerSchema);
  if (typ !== type) throw malformed();
  const claims = decode(payload, claimsSchema);
  if (claims.iss !== iss) throw malformed();
  const key = keys.get(issuer)?.verifying.get(kid);
  if (!key) throw new KeyringError('unknown-key', `${issuer} has no key ${kid} that is known here`);
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) {
    throw new KeyringError('not-authentic', `the signature of key ${kid} does not match`);
  }
  return { kid, claims };
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
  return new KeyringError('malformed', 'this is not a signed statement of the kind that is looked for');
}
