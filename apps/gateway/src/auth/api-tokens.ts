import { createHash } from 'node:crypto';
import { AppError, createLruCache, toAppError } from '@rubrica/process';
import type { Peers } from '../peers/peers.ts';
import type { PartnerIdentity } from './access-tokens.ts';

export const apiTokenPrefix = 'rbk_';

/** How long a revoked token may still be accepted; operators are promised 5 s. */
const keptMs = 4_000;
const maxKept = 5_000;

export type ResolveApiToken = (token: string) => Promise<PartnerIdentity | undefined>;

export interface ApiTokenDeps {
  readonly peers: { readonly intake: Pick<Peers['intake'], 'partners.resolveToken'> };
  readonly nowMs?: () => number;
}

/** API tokens, looked up at intake by their SHA-256. Unknown ones are remembered too, so that each costs one call only. */
export function createApiTokens({ peers, nowMs = Date.now }: ApiTokenDeps): ResolveApiToken {
  // Two caches: a flood of invented tokens must not push out those that are in use.
  const valid = createLruCache<string, PartnerIdentity>({ max: maxKept, ttlMs: keptMs, nowMs });
  const invalid = createLruCache<string, true>({ max: maxKept, ttlMs: keptMs, nowMs });
  const asked = new Map<string, Promise<PartnerIdentity | undefined>>();

  const ask = async (tokenSha256: string): Promise<PartnerIdentity | undefined> => {
    try {
      const identity = await peers.intake['partners.resolveToken']({ tokenSha256 });
      valid.set(tokenSha256, identity);
      return identity;
    } catch (error) {
      const fault = toAppError(error);
      if (fault.code !== 'UNAUTHENTICATED') throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: fault });
      invalid.set(tokenSha256, true);
      return undefined;
    } finally {
      asked.delete(tokenSha256);
    }
  };

  return async (token) => {
    const tokenSha256 = createHash('sha256').update(token).digest('hex');
    const known = valid.get(tokenSha256);
    if (known !== undefined) return known;
    if (invalid.get(tokenSha256)) return undefined;
    const running = asked.get(tokenSha256) ?? ask(tokenSha256);
    asked.set(tokenSha256, running);
    return running;
  };
}
