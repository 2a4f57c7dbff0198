import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { tokenSigner } from '@rubrica/process/tokens';
import type { Prove } from '@rubrica/wiring';
import { LRUCache } from 'lru-cache';
import type { Peers } from './peers.ts';

/** Cache time: a call token is valid for 5 s, so that the receiver has at least two of them left. */
const cacheMs = 3_000;
const maxCached = 10_000;

export interface ProveDeps {
  readonly intake: Pick<Peers['intake'], 'tokens.forCall'>;
  /** Monotonic clock, which is never adjusted. */
  readonly monotonicMs?: () => number;
}

/**
 * Creates the proof of the caller: intake gets the caller's token, sealed; any other receiver a call token, which
 * intake issues for that receiver alone.
 * @throws AppError UNAUTHENTICATED where a permission has ended, SERVICE_UNAVAILABLE
 */
export function createProve({ intake, monotonicMs = () => performance.now() }: ProveDeps): Prove {
  const cache = new LRUCache<string, { readonly callToken: string; readonly untilMs: number }>({
    max: maxCached,
  });
  const pending = new Map<string, Promise<string>>();

  const requestToken = async (key: string, sealedToken: string, receiver: OtherReceiver): Promise<string> => {
    const untilMs = monotonicMs() + cacheMs;
    try {
      const { callToken } = await intake['tokens.forCall']({ sealedToken, receiver });
      cache.set(key, { callToken, untilMs });
      return callToken;
    } finally {
      pending.delete(key);
    }
  };

  return ({ sealedToken }, receiver) => {
    if (sealedToken === undefined)
      throw new Error('a call for a partner or an operator carries what was shown at the door');
    if (receiver === tokenSigner) return sealedToken;
    const key = `${receiver} ${sealedToken}`;
    const cached = cache.get(key);
    if (cached !== undefined && cached.untilMs > monotonicMs()) return cached.callToken;
    const running = pending.get(key) ?? requestToken(key, sealedToken, receiver as OtherReceiver);
    pending.set(key, running);
    return running;
  };
}

/** Excludes the gateway, which receives no calls. */
type OtherReceiver = Exclude<ServiceName, 'gateway' | 'intake'>;
