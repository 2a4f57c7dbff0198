import { createHash } from 'node:crypto';
import { AppError, type Keyring, newTokenBinding, toAppError } from '@rubrica/process';
import { LRUCache } from 'lru-cache';
import type { Peers } from '../peers/peers.ts';
import type { AccessTokens, PartnerIdentity, Verified } from './access-tokens.ts';
import { claimedIssuer } from './bearer.ts';

const apiTokenPrefix = 'rbk_';

/** How long a revoked token may still be accepted; operators are promised 5 s. */
const keptMs = 4_000;
const maxKept = 5_000;

export interface ExchangedTokens {
  /** Whether intake has to say what the token is worth: it is an API token, or a JWT that another issuer has signed. */
  isExchanged(token: string): boolean;
  /** @throws AppError SERVICE_UNAVAILABLE where it cannot be checked now */
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
 * API tokens and those of partners' own OpenID issuers, exchanged at intake for an access token of ours. They cross
 * sealed: intake keeps hashes, and a hash that crossed would be as good as the token. Unknown ones are remembered too,
 * so that each costs one call only.
 */
export function createExchangedTokens(deps: ExchangedTokensDeps): ExchangedTokens {
  const { peers, keyring, tokens, baseUrl, nowMs } = deps;
  // Two caches: a flood of invented tokens must not push out those that are in use. Their keys are hashes, so that a
  // dump of this process' memory shows no token that is not in use at that moment.
  const options = { max: maxKept, ttl: keptMs, ttlResolution: 0, perf: { now: nowMs } };
  const valid = new LRUCache<string, Verified<PartnerIdentity>>(options);
  const invalid = new LRUCache<string, true>(options);
  const asked = new Map<string, Promise<PartnerIdentity | undefined>>();

  const ask = async (token: string, key: string): Promise<PartnerIdentity | undefined> => {
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
      asked.delete(key);
    }
  };

  return {
    isExchanged(token) {
      if (token.startsWith(apiTokenPrefix)) return true;
      const issuer = claimedIssuer(token);
      return issuer !== undefined && issuer !== baseUrl;
    },
    async resolve(token) {
      const key = createHash('sha256').update(token).digest('hex');
      const known = valid.get(key);
      if (known !== undefined && known.expiresAtMs > nowMs()) return known.identity;
      if (invalid.get(key)) return undefined;
      const running = asked.get(key) ?? ask(token, key);
      asked.set(key, running);
      return running;
    },
  };
}
