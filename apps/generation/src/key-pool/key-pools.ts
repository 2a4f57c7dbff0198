import type { KeyType } from '@rubrica/contracts/shared/enumerations';
import type { KeyAlgorithm } from '@rubrica/pki';
import { createKeyPool, type KeyPool, type KeyPoolOptions } from './key-pool.ts';
import type { SubscriberKey } from './make-key.ts';

/** A pool for each kind of key. */
export interface KeyPools extends Pick<KeyPool, 'start' | 'stop'> {
  take(algorithm: KeyAlgorithm): Promise<SubscriberKey>;
}

/** The kinds as partners' settings name them. */
export const algorithmOf: Readonly<Record<KeyType, KeyAlgorithm>> = {
  'RSA-2048': 'RSA_2048',
  'RSA-3072': 'RSA_3072',
  'EC-P256': 'P_256',
};

export interface KeyPoolsOptions extends Omit<KeyPoolOptions, 'make' | 'makeAhead' | 'metrics'> {
  readonly make: (algorithm: KeyAlgorithm) => Promise<SubscriberKey>;
  readonly makeAhead: (algorithm: KeyAlgorithm) => Promise<SubscriberKey>;
  readonly metrics?: (algorithm: KeyAlgorithm) => KeyPoolOptions['metrics'];
}

/**
 * RSA-2048, the default, is made ahead from the start; RSA-3072, which costs three times as much, once a partner has
 * asked for the first one. P-256 takes a tenth of a millisecond and is never made ahead.
 */
export function createKeyPools({ make, makeAhead, metrics, ...options }: KeyPoolsOptions): KeyPools {
  const pool = (algorithm: KeyAlgorithm, size: number) =>
    createKeyPool({
      ...options,
      size,
      make: () => make(algorithm),
      makeAhead: () => makeAhead(algorithm),
      metrics: metrics?.(algorithm),
    });
  const pools: Readonly<Record<KeyAlgorithm, KeyPool>> = {
    RSA_2048: pool('RSA_2048', options.size),
    RSA_3072: pool('RSA_3072', options.size),
    P_256: pool('P_256', 0),
  };
  const all = Object.values(pools);
  const started = new Set<KeyAlgorithm>();
  const start = (algorithm: KeyAlgorithm) => {
    if (started.has(algorithm)) return;
    started.add(algorithm);
    pools[algorithm].start();
  };
  return {
    take(algorithm) {
      if (started.size > 0) start(algorithm);
      return pools[algorithm].take();
    },
    start: () => start('RSA_2048'),
    async stop() {
      await Promise.all(all.map((one) => one.stop()));
    },
  };
}
