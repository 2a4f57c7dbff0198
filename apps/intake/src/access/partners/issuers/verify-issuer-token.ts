import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import { knownScopes } from '@rubrica/process/tokens';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { z } from 'zod';
import type { IssuerKeys } from './issuer-keys.ts';
import type { IssuerBinding } from './issuer-settings.ts';

/** Rights of a token of a partner's own issuer, before the partner's own rights are considered. */
export interface IssuerToken {
  readonly partnerId: string;
  readonly scopes: readonly Scope[];
  /** End of the token, rounded down to a second. */
  readonly expiresAtSeconds: number;
}

/** @throws AppError UNAUTHENTICATED; SERVICE_UNAVAILABLE if the issuer's keys cannot be fetched now */
export type VerifyIssuerToken = (token: string) => Promise<IssuerToken>;

export interface IssuerDeps {
  /** Verifies tokens of partners' own OpenID issuers. */
  readonly verifyIssuerToken: VerifyIssuerToken;
}

/** Algorithms of signatures only, never of a shared secret. */
const algorithms = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519'];
/** Seconds by which an issuer's clock may be ahead of ours; nothing is accepted after its end. */
const aheadSeconds = 10;

/**
 * Fields of an id token, which says who has signed in to a client and permits no calls (OpenID Connect Core
 * §2, §3).
 */
const idTokenFields = ['nonce', 'at_hash', 'c_hash', 's_hash'];

export function createVerifyIssuerToken(deps: {
  readonly bindings: readonly IssuerBinding[];
  readonly keys: IssuerKeys;
  /** Clock by which tokens are judged. */
  readonly clock: Clock;
}): VerifyIssuerToken {
  const byIssuer = new Map(deps.bindings.map((binding) => [binding.issuer, binding]));
  return async (token) => {
    const { type, issuer } = readUnverified(token);
    const binding = byIssuer.get(issuer);
    if (binding === undefined || !isAccepted(type, binding)) throw unauthenticated();
    const now = deps.clock();
    const payload = await verifyPayload(token, { binding, keys: deps.keys, now });
    const partnerId = z.uuid().toLowerCase().safeParse(payload[binding.partnerClaim]).data;
    if (partnerId === undefined || !binding.partnerIds.includes(partnerId)) throw unauthenticated();
    if (idTokenFields.some((field) => Object.hasOwn(payload, field))) throw unauthenticated();
    const expiresAtSeconds = Math.floor(z.number().safeParse(payload.exp).data ?? 0);
    if (expiresAtSeconds <= now.getTime() / 1000) throw unauthenticated();
    return { partnerId, scopes: knownScopes(z.string().catch('').parse(payload.scope)), expiresAtSeconds };
  };
}

/**
 * Reads type and issuer before anything is proven, to choose the keys. An unknown issuer costs no more than
 * this.
 */
function readUnverified(token: string): { readonly type: string; readonly issuer: string } {
  try {
    const { typ = '' } = decodeProtectedHeader(token);
    return { type: typ.toLowerCase().replace(/^application\//, ''), issuer: decodeJwt(token).iss ?? '' };
  } catch (cause) {
    throw unauthenticated(cause);
  }
}

/**
 * Returns true for `at+jwt` (RFC 9068 §4), and for `JWT` only if the binding says so, because an id token has
 * the same type.
 */
function isAccepted(type: string, { tokenType }: IssuerBinding): boolean {
  return type === 'at+jwt' || (tokenType === 'JWT' && type === 'jwt');
}

async function verifyPayload(
  token: string,
  { binding, keys, now }: { readonly binding: IssuerBinding; readonly keys: IssuerKeys; readonly now: Date },
) {
  const { issuer, audience } = binding;
  try {
    const verified = await jwtVerify(token, keys(binding), {
      ...{ algorithms, issuer, audience, currentDate: now, clockTolerance: aheadSeconds },
      requiredClaims: ['exp'],
    });
    return verified.payload;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unauthenticated(error);
  }
}

function unauthenticated(cause?: unknown): AppError {
  return new AppError({ code: 'UNAUTHENTICATED', cause });
}
