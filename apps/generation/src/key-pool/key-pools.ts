import type { KeyType } from '@rubrica/contracts/shared/enumerations';
import type { KeyAlgorithm } from '@rubrica/pki';
import { createKeyPool, type KeyPool, type KeyPoolOptions } from './key-pool.ts';
import type { SubscriberKey } from './make-key.ts';

/** Pools by key algorithm. */
export interface KeyPools extends Pick<KeyPool, 'start' | 'stop'> {
  take(algorithm: KeyAlgorithm): Promise<SubscriberKey>;
}

/** Key algorithms by their names in partners' settings. */
export const keyAlgorithmByType: Readonly<Record<KeyType, KeyAlgorithm>> = {
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
 * Creates the pools. RSA-2048, the default, is filled from the start; RSA-3072, at three times the cost, once a partner
 * has used it. P-256 takes a tenth of a millisecond and has no stock.
 */
export function createKeyPools({ make, makeAhead, metrics, ...options }: KeyPoolsOptions): KeyPools {
  const createPool = (algorithm: KeyAlgorithm, size: number) =>
    createKeyPool({
      ...options,
      size,
      make: () => make(algorithm),
      makeAhead: () => makeAhead(algorithm),
      metrics: metrics?.(algorithm),
    });
  const pools: Readonly<Record<KeyAlgorithm, KeyPool>> = {
    RSA_2048: createPool('RSA_2048', options.size),
    RSA_3072: createPool('RSA_3072', options.size),
    P_256: createPool('P_256', 0),
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
      await Promise.all(all.map((pool) => pool.stop()));
    },
  };
}
