import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/service';
import type { ClaimedCrl } from './crl-ledger.ts';

export interface CrlSignerOptions {
  readonly signNext: () => Promise<ClaimedCrl | undefined>;
  readonly checkMs: number;
  readonly logger: Logger;
}

export interface CrlSigner {
  start(): void;
  /** Looks at once: something has changed. */
  wake(): void;
  /** Waits for the CRL under way. */
  stop(): Promise<void>;
}

/**
 * Signs CRLs for as long as the service lives. Every copy runs one; the claim of each CRL keeps them apart. A failure
 * is tried again when the lease of the claim has ended, so that a key that is away is not asked all the time.
 */
export function createCrlSigner({ signNext, checkMs, logger }: CrlSignerOptions): CrlSigner {
  const stopping = new AbortController();
  let waking = new AbortController();
  let running: Promise<void> | undefined;

  const signAllDue = async () => {
    for (;;) {
      const signed = stopping.signal.aborted ? undefined : await signNext();
      if (signed === undefined) return;
      logger.info(
        { action: `crl ${signed.issuer}/${signed.shard}`, count: signed.number },
        'a CRL was signed',
      );
    }
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      // A wake during the look is for what that look may have missed: the pause after it ends at once.
      waking = new AbortController();
      await signAllDue().catch((err: unknown) => logger.error({ err }, 'a CRL could not be signed'));
      const signal = AbortSignal.any([stopping.signal, waking.signal]);
      await delay(checkMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    start() {
      running ??= run();
    },
    wake: () => waking.abort(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
