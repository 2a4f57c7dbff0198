import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Database } from '@rubrica/database';
import type { EvidenceStores } from '@rubrica/evidence-store';
import { type Clock, type Logger, type Metrics, metric } from '@rubrica/process';
import { createCarryOutLocks } from './carry-out-locks.ts';
import { countLocks, walkLocks } from './lock-sql.ts';

const lookEveryMs = MINUTE_MS;
/** Between two parts of a walk: two million files in a quarter of an hour. */
const walkPauseMs = 200;
const beforeAll = '00000000-0000-0000-0000-000000000000';

interface Needs {
  readonly database: Pick<Database, 'statement'>;
  readonly stores: Pick<EvidenceStores, 'all'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** Looks through all evidence once, and has locks that are not what they should be carried out. */
export async function walkAllLocks(
  { database }: Pick<Needs, 'database'>,
  signal: AbortSignal,
  pauseMs: number = walkPauseMs,
): Promise<void> {
  let lastId: string | undefined = beforeAll;
  while (lastId !== undefined && !signal.aborted) {
    lastId = (await walkLocks.run(database, { lastId })).at(0)?.lastId;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Carries out each minute what is due, at a moment of its own in each copy, until stopped. From the first minute and once a
 * day it looks through all evidence: what was kept before there were locks gets one too. Without S3 there is nothing to do.
 */
export function startLocks(
  { database, stores, clock, logger }: Needs,
  { metrics }: { readonly metrics: Pick<Metrics, 'counter' | 'gauge'> },
): { stop(): Promise<void> } {
  const done = metrics.counter(metric('rubrica_evidence_lock_total'));
  metrics.gauge({
    ...metric('rubrica_evidence_erased_locked'),
    async collect(gauge) {
      const [row] = await countLocks.run(database, {});
      gauge.set(row?.erased ?? 0);
    },
  });
  metrics.gauge({
    ...metric('rubrica_evidence_lock_behind_seconds'),
    async collect(gauge) {
      const [row] = await countLocks.run(database, {});
      gauge.set(row?.behindSeconds ?? 0);
    },
  });
  const locks = stores.all.find((store) => store.locks !== undefined)?.locks;
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    if (locks === undefined) return;
    const onDone = (outcome: string) => done.inc({ outcome });
    const carryOut = createCarryOutLocks({ database, locks, clock, logger, onDone });
    let walkedAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      await delay(lookEveryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (locks.mode !== 'none' && performance.now() - walkedAt >= DAY_MS) {
          await walkAllLocks({ database }, signal);
          walkedAt = performance.now();
        }
        while (!signal.aborted && (await carryOut(signal)));
      } catch (err) {
        logger.error({ err }, 'carrying out locks of evidence failed; the next round tries again');
      }
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
