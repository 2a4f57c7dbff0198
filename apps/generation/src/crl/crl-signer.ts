import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/process';
import { crlName } from '../certificate/crl-shard.ts';
import { ListWouldLoseEntries } from './checked-entries.ts';
import type { LeasedCrl } from './crl-ledger.ts';

export interface CrlSignerOptions {
  readonly signNext: () => Promise<LeasedCrl | undefined>;
  readonly checkMs: number;
  /** A list would have lost entries that nothing explains: the one before it stays published. */
  readonly onRefused?: (list: string) => void;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** For tests. Ends early, without a fault, when the signal fires. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface CrlSigner {
  start(): void;
  /** Looks at once, or soon after a look that found something: there has been a change. */
  wake(): void;
  /** Waits for the CRL under way. */
  stop(): Promise<void>;
}

/** Changes within this time share a CRL, so that ten thousand revocations do not make ten thousand CRLs. */
export const calmMs = 500;

function untilFired(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Signs CRLs for as long as the service lives. Every copy runs one; the lease of each CRL keeps them apart. A failure
 * is tried again when the lease has ended, so that a key that is away is not asked all the time.
 */
export function createCrlSigner({
  signNext,
  checkMs,
  onRefused = () => undefined,
  logger,
  pause = untilFired,
}: CrlSignerOptions): CrlSigner {
  const stopping = new AbortController();
  let waking = new AbortController();
  let running: Promise<void> | undefined;

  /** @returns whether anything was signed */
  const signAllDue = async () => {
    let count = 0;
    try {
      while (!stopping.signal.aborted) {
        const signed = await signNext();
        if (signed === undefined) break;
        count++;
        const { issuer, shard, number, base } = signed;
        const name = crlName({ issuer, shard, isDelta: base !== undefined });
        logger.info({ action: `${name}.crl`, count: number }, 'a CRL was signed');
      }
    } catch (err) {
      if (err instanceof ListWouldLoseEntries) {
        const { list, serials } = err;
        onRefused(list);
        logger.error(
          { action: `${list}.crl`, count: serials.length, subject: serials },
          'revocation list refused: it would lose entries that nothing explains',
        );
      } else logger.error({ err }, 'a CRL could not be signed');
    }
    return count > 0;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      // A wake during the look is for what that look may have missed: the pause after it ends at once.
      waking = new AbortController();
      if (await signAllDue()) await pause(calmMs, stopping.signal);
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
