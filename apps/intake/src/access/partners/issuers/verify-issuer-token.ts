import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { AppError, type Clock, knownScopes } from '@rubrica/process';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { z } from 'zod';
import type { IssuerKeys } from './issuer-keys.ts';
import type { IssuerBinding } from './issuer-settings.ts';

/** What a token of a partner's own issuer is worth, before the partner's own rights are looked at. */
export interface IssuerToken {
  readonly partnerId: string;
  readonly scopes: readonly Scope[];
  /** Of the whole second in which it ends. */
  readonly expiresAtSeconds: number;
}

/** @throws AppError UNAUTHENTICATED; SERVICE_UNAVAILABLE where the issuer's keys cannot be had now */
export type VerifyIssuerToken = (token: string) => Promise<IssuerToken>;

export interface IssuerDeps {
  /** Verifies tokens of partners' own OpenID issuers. */
  readonly verifyIssuerToken: VerifyIssuerToken;
}

/** Signatures only, never a shared secret. */
const algorithms = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519'];
/** An issuer's clock may be this much ahead of ours; nothing is accepted after its end. */
const aheadSeconds = 10;

/** An id token says who has signed in to a client, and is no leave to call others (OpenID Connect Core §2, §3). */
const idTokenFields = ['nonce', 'at_hash', 'c_hash', 's_hash'];

export function createVerifyIssuerToken(deps: {
  readonly bindings: readonly IssuerBinding[];
  readonly keys: IssuerKeys;
  /** Tokens are judged by it. */
  readonly clock: Clock;
}): VerifyIssuerToken {
  const byIssuer = new Map(deps.bindings.map((binding) => [binding.issuer, binding]));
  return async (token) => {
    const { type, issuer } = claimed(token);
    const binding = byIssuer.get(issuer);
    if (binding === undefined || !isTaken(type, binding)) throw refused();
    const now = deps.clock();
    const payload = await payloadOf(token, { binding, keys: deps.keys, now });
    const partnerId = z.uuid().toLowerCase().safeParse(payload[binding.partnerClaim]).data;
    if (partnerId === undefined || !binding.partnerIds.includes(partnerId)) throw refused();
    if (idTokenFields.some((field) => Object.hasOwn(payload, field))) throw refused();
    const expiresAtSeconds = Math.floor(z.number().safeParse(payload.exp).data ?? 0);
    if (expiresAtSeconds <= now.getTime() / 1000) throw refused();
    return { partnerId, scopes: knownScopes(z.string().catch('').parse(payload.scope)), expiresAtSeconds };
  };
}

/** Read before anything is proven, to know whose keys to ask for: an unknown issuer costs no more than this. */
function claimed(token: string): { readonly type: string; readonly issuer: string } {
  try {
    const { typ = '' } = decodeProtectedHeader(token);
    return { type: typ.toLowerCase().replace(/^application\//, ''), issuer: decodeJwt(token).iss ?? '' };
  } catch (cause) {
    throw refused(cause);
  }
}

/** RFC 9068 §4; `JWT` only where the binding says so, because an id token has the same. */
function isTaken(type: string, { tokenType }: IssuerBinding): boolean {
  return type === 'at+jwt' || (tokenType === 'JWT' && type === 'jwt');
}

async function payloadOf(
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
    throw refused(error);
  }
}

function refused(cause?: unknown): AppError {
  return new AppError({ code: 'UNAUTHENTICATED', cause });
}
