import { createHash } from 'node:crypto';
import { AppError, createLruCache, type Keyring, toAppError } from '@rubrica/process';
import type { Peers } from '../peers/peers.ts';
import type { AccessTokens, PartnerIdentity } from './access-tokens.ts';

export const apiTokenPrefix = 'rbk_';

/** How long a revoked token may still be accepted; operators are promised 5 s. */
const keptMs = 4_000;
const maxKept = 5_000;

export type ResolveApiToken = (token: string) => Promise<PartnerIdentity | undefined>;

export interface ApiTokenDeps {
  readonly peers: { readonly intake: Pick<Peers['intake'], 'tokens.exchange'> };
  readonly keyring: Pick<Keyring, 'sealTo'>;
  readonly tokens: Pick<AccessTokens, 'verifyPartner'>;
  readonly nowMs?: () => number;
}

/**
 * API tokens, exchanged at intake for an access token of ours. They cross sealed: intake keeps their hashes, and a hash
 * that crossed would be as good as the token. Unknown ones are remembered too, so that each costs one call only.
 */
export function createApiTokens({ peers, keyring, tokens, nowMs = Date.now }: ApiTokenDeps): ResolveApiToken {
  // Two caches: a flood of invented tokens must not push out those that are in use. Their keys are hashes, so that a
  // dump of this process' memory shows no token that is not in use at that moment.
  const valid = createLruCache<string, PartnerIdentity>({ max: maxKept, ttlMs: keptMs, nowMs });
  const invalid = createLruCache<string, true>({ max: maxKept, ttlMs: keptMs, nowMs });
  const asked = new Map<string, Promise<PartnerIdentity | undefined>>();

  const ask = async (token: string, key: string): Promise<PartnerIdentity | undefined> => {
    try {
      const binding = { purpose: 'entered-api-token', owner: 'gateway' } as const;
      const sealedToken = await keyring.sealTo('intake', token, binding);
      const { accessToken } = await peers.intake['tokens.exchange']({ sealedToken });
      const { identity } = await tokens.verifyPartner(accessToken);
      // Without `gen`: it is exchanged anew before its rights may be too old, and no call fails where another right ended.
      const { gen: _gen, ...kept } = identity;
      valid.set(key, kept);
      return kept;
    } catch (error) {
      const fault = toAppError(error);
      if (fault.code !== 'UNAUTHENTICATED') throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: fault });
      invalid.set(key, true);
      return undefined;
    } finally {
      asked.delete(key);
    }
  };

  return async (token) => {
    const key = createHash('sha256').update(token).digest('hex');
    const known = valid.get(key);
    if (known !== undefined) return known;
    if (invalid.get(key)) return undefined;
    const running = asked.get(key) ?? ask(token, key);
    asked.set(key, running);
    return running;
  };
}
