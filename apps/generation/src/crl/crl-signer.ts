import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/process/log';
import { formatCrlName } from '../certificate/crl-shard.ts';
import { ListWouldLoseEntries } from './checked-entries.ts';
import type { LeasedCrl } from './crl-ledger.ts';

export interface CrlSignerOptions {
  readonly signNext: () => Promise<LeasedCrl | undefined>;
  readonly checkMs: number;
  /** Called when a list would have lost entries without an explanation; the previous list stays published. */
  readonly onRefused?: (list: string) => void;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** Pause for tests. Resolves early, without an error, when the signal fires. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface CrlSigner {
  start(): void;
  /** Checks at once after a change, or shortly after a check that signed a list. */
  wake(): void;
  /** Waits for the CRL in progress. */
  stop(): Promise<void>;
}

/** Changes within this time share a CRL, so that ten thousand revocations do not cause ten thousand CRLs. */
export const sharedChangesMs = 500;

function pauseUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Signs CRLs while the service runs. Every copy runs one; the lease of each CRL prevents conflicts. A failed CRL is
 * retried when its lease ends, so that an unavailable key is not called constantly.
 */
export function createCrlSigner({
  signNext,
  checkMs,
  onRefused = () => undefined,
  logger,
  pause = pauseUntilAborted,
}: CrlSignerOptions): CrlSigner {
  const stopping = new AbortController();
  let waking = new AbortController();
  let running: Promise<void> | undefined;

  /**
   * Signs all due CRLs.
   * @returns whether any was signed
   */
  const signAllDue = async () => {
    let count = 0;
    try {
      while (!stopping.signal.aborted) {
        const signed = await signNext();
        if (signed === undefined) break;
        count++;
        const { issuer, shard, number, base } = signed;
        const name = formatCrlName({ issuer, shard, isDelta: base !== undefined });
        logger.info({ action: `${name}.crl`, count: number }, 'CRL signed');
      }
    } catch (err) {
      if (err instanceof ListWouldLoseEntries) {
        const { list, serials } = err;
        onRefused(list);
        logger.error(
          { action: `${list}.crl`, count: serials.length, subject: serials },
          'revocation list refused: it would lose entries that nothing explains',
        );
      } else logger.error({ err }, 'CRL signing failed');
    }
    return count > 0;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      // A wake during the check covers changes that the check missed: it ends the following pause at once.
      waking = new AbortController();
      if (await signAllDue()) await pause(sharedChangesMs, stopping.signal);
      await pause(checkMs, AbortSignal.any([stopping.signal, waking.signal]));
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
