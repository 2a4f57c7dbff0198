import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { tokenSigner } from '@rubrica/process';
import type { Prove } from '@rubrica/wiring';
import { LRUCache } from 'lru-cache';
import type { Peers } from './peers.ts';

/** A call token lives 5 s, so that the receiver has at least two of them left. */
const keptMs = 3_000;
const maxKept = 10_000;

export interface ProveDeps {
  readonly intake: Pick<Peers['intake'], 'tokens.forCall'>;
  /** A clock that nobody sets. */
  readonly monotonicMs?: () => number;
}

/**
 * For whom we call: intake gets the token that was shown at the door, sealed; any other receiver a call token, which
 * intake makes of it for that receiver alone.
 * @throws AppError UNAUTHENTICATED where a right has ended, SERVICE_UNAVAILABLE
 */
export function createProve({ intake, monotonicMs = () => performance.now() }: ProveDeps): Prove {
  const kept = new LRUCache<string, { readonly callToken: string; readonly untilMs: number }>({
    max: maxKept,
  });
  const asked = new Map<string, Promise<string>>();

  const ask = async (key: string, sealedToken: string, receiver: OtherReceiver): Promise<string> => {
    const untilMs = monotonicMs() + keptMs;
    try {
      const { callToken } = await intake['tokens.forCall']({ sealedToken, receiver });
      kept.set(key, { callToken, untilMs });
      return callToken;
    } finally {
      asked.delete(key);
    }
  };

  return ({ sealedToken }, receiver) => {
    if (sealedToken === undefined)
      throw new Error('a call for a partner or an operator carries what was shown at the door');
    if (receiver === tokenSigner) return sealedToken;
    const key = `${receiver} ${sealedToken}`;
    const known = kept.get(key);
    if (known !== undefined && known.untilMs > monotonicMs()) return known.callToken;
    const running = asked.get(key) ?? ask(key, sealedToken, receiver as OtherReceiver);
    asked.set(key, running);
    return running;
  };
}

/** Nobody calls the gateway. */
type OtherReceiver = Exclude<ServiceName, 'gateway' | 'intake'>;
