import { createHash } from 'node:crypto';
import { AppError, toAppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { newTokenBinding } from '@rubrica/process/tokens';
import { LRUCache } from 'lru-cache';
import type { Peers } from '../peers/peers.ts';
import type { AccessTokens, PartnerIdentity, VerifiedToken } from './access-tokens.ts';
import { readClaimedIssuer } from './bearer.ts';

const apiTokenPrefix = 'rbk_';

/** Time for which a revoked token may still be accepted; the documented limit is 5 s. */
const cacheMs = 4_000;
const maxCached = 5_000;

export interface ExchangedTokens {
  /** Returns whether intake must exchange the token: an API token, or a JWT of another issuer. */
  isExchanged(token: string): boolean;
  /**
   * Resolves a token to its partner.
   * @throws AppError SERVICE_UNAVAILABLE where it cannot be checked now
   */
  resolve(token: string): Promise<PartnerIdentity | undefined>;
}

export interface ExchangedTokensDeps {
  readonly peers: { readonly intake: Pick<Peers['intake'], 'tokens.exchange'> };
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText'>;
  readonly tokens: Pick<AccessTokens, 'verifyPartner'>;
  /** Issuer of our own tokens. */
  readonly baseUrl: string;
  readonly nowMs: () => number;
}

/**
 * Creates the exchange of API tokens and tokens of partners' own OpenID issuers for our access tokens, at intake. They
 * cross sealed: intake stores hashes, and a hash on the bus would be as good as the token. Unknown tokens are cached
 * too, so that each costs only one call.
 */
export function createExchangedTokens(deps: ExchangedTokensDeps): ExchangedTokens {
  const { peers, keyring, tokens, baseUrl, nowMs } = deps;
  // Separate caches, so that a flood of invented tokens does not evict those in use. Their keys are hashes: a memory
  // dump shows no token that is not in use at that moment.
  const options = { max: maxCached, ttl: cacheMs, ttlResolution: 0, perf: { now: nowMs } };
  const valid = new LRUCache<string, VerifiedToken<PartnerIdentity>>(options);
  const invalid = new LRUCache<string, true>(options);
  const pending = new Map<string, Promise<PartnerIdentity | undefined>>();

  const exchange = async (token: string, key: string): Promise<PartnerIdentity | undefined> => {
    try {
      const binding = { purpose: 'entered-token', owner: 'gateway' } as const;
      const sealedToken = await keyring.sealTo('intake', token, binding);
      const { sealedAccessToken } = await peers.intake['tokens.exchange']({ sealedToken });
      const accessToken = await keyring.openText(sealedAccessToken, newTokenBinding(sealedToken));
      const verified = await tokens.verifyPartner(accessToken);
      valid.set(key, verified);
      return verified.identity;
    } catch (error) {
      const fault = toAppError(error);
      if (fault.code !== 'UNAUTHENTICATED') throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: fault });
      invalid.set(key, true);
      return undefined;
    } finally {
      pending.delete(key);
    }
  };

  return {
    isExchanged(token) {
      if (token.startsWith(apiTokenPrefix)) return true;
      const issuer = readClaimedIssuer(token);
      return issuer !== undefined && issuer !== baseUrl;
    },
    async resolve(token) {
      const key = createHash('sha256').update(token).digest('hex');
      const cached = valid.get(key);
      if (cached !== undefined && cached.expiresAtMs > nowMs()) return cached.identity;
      if (invalid.get(key)) return undefined;
      const running = pending.get(key) ?? exchange(token, key);
      pending.set(key, running);
      return running;
    },
  };
}
