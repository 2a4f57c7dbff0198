import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Database } from '@rubrica/database/connection';
import type { EvidenceStores } from '@rubrica/evidence-store';
import type { Logger } from '@rubrica/process/log';
import { type Metrics, metric } from '@rubrica/process/metrics';
import type { Clock } from '@rubrica/process/time';
import { createApplyLocks } from './apply-locks.ts';
import { countLocks, walkLocks } from './lock-sql.ts';

const everyMs = MINUTE_MS;
/** Pause between two parts of a walk: two million files take a quarter of an hour. */
const walkPauseMs = 200;
const lowestId = '00000000-0000-0000-0000-000000000000';

interface StartLocksDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly stores: Pick<EvidenceStores, 'all'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** Walks through all evidence once, and requests checks of wrong locks. */
export async function walkAllLocks(
  { database }: Pick<StartLocksDeps, 'database'>,
  signal: AbortSignal,
  pauseMs: number = walkPauseMs,
): Promise<void> {
  let lastId: string | undefined = lowestId;
  while (lastId !== undefined && !signal.aborted) {
    lastId = (await walkLocks.run(database, { lastId })).at(0)?.lastId;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Applies the due locks each minute, at a random moment in each copy, until stopped. From the first minute
 * and once a day it walks through all evidence: evidence from before there were locks gets one too. Without
 * S3 there is nothing to do.
 */
export function startLocks(
  { database, stores, clock, logger }: StartLocksDeps,
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
    const applyLocks = createApplyLocks({ database, locks, clock, logger, onDone });
    let walkedAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      await delay(everyMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (locks.mode !== 'none' && performance.now() - walkedAt >= DAY_MS) {
          await walkAllLocks({ database }, signal);
          walkedAt = performance.now();
        }
        while (!signal.aborted && (await applyLocks(signal)));
      } catch (err) {
        logger.error({ err }, 'evidence locking failed; will be retried');
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
