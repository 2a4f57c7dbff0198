import { setTimeout as delay } from 'node:timers/promises';
import type { EvidenceArea } from '@rubrica/contracts/services/schemas/evidence';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { SqlRunner } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import type { EvidenceStore, EvidenceSweepResult, SweepOptions } from '@rubrica/evidence-store';
import type { Logger } from '@rubrica/process/log';

/**
 * Age after which an object without a row is an orphan. An upload precedes its row: this is longer than the
 * gateway allows for a whole request (`REQUEST_TIMEOUT_SECONDS`).
 */
const orphanAfterMs = 40 * MINUTE_MS;
/** Interval of the sweep. It is short, because nothing else removes the files of refused bodies. */
const sweepEveryMs = 10 * MINUTE_MS;
/**
 * Share of the runs that list everything, about one a day: evidence of years is a long list with few orphans.
 */
const fullSweepShare = 1 / 144;

/**
 * Finds objects whose row exists and whose request still has the key that opens them, and objects that wait
 * for the end of their lock.
 */
const findWanted = statement<{ readonly ids: readonly string[] }, { readonly id: string }>({
  name: 'wanted-evidence-objects',
  sql: `
select object ->> 'id' as id from evidence join request on request.id = evidence.request_id
where object is not null and object ->> 'id' = any(:ids) and evidence_key is not null
union all
select object_id from evidence_lock where object_id = any(:ids)`,
});

export interface EvidenceObjects {
  readonly stores: readonly Pick<EvidenceStore, 'sweep'>[];
  readonly sql: SqlRunner;
}

/**
 * Removes evidence that nothing can use any more from the stores: uploads whose registration never came, and
 * files whose key was destroyed. The gateway can remove none. Several copies may sweep at once, because a
 * removal can be repeated.
 */
export async function sweepEvidenceObjects(
  { stores, sql }: EvidenceObjects,
  { olderThanMs, areas }: Pick<SweepOptions, 'olderThanMs' | 'areas'>,
): Promise<EvidenceSweepResult> {
  const wanted = async (ids: readonly string[]) =>
    new Set((await findWanted.run(sql, { ids })).map(({ id }) => id));
  const swept = await Promise.all(
    stores.map((store) => store.sweep({ olderThanMs, wanted, ...(areas === undefined ? {} : { areas }) })),
  );
  const sum = (key: keyof EvidenceSweepResult) => swept.reduce((count, result) => count + result[key], 0);
  return { removed: sum('removed'), foreign: sum('foreign') };
}

/**
 * Chooses the areas of a run by lot rather than by count. A copy that restarts every day would never reach
 * the run that lists everything.
 * @param lot number from 0 to 1
 */
export function chooseAreas(lot: number): readonly EvidenceArea[] {
  return lot < fullSweepShare ? ['incoming', 'kept'] : ['incoming'];
}

/** Sweeps every 5 to 15 minutes, at random, until stopped. */
export function startEvidenceSweep(objects: EvidenceObjects, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(sweepEveryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const areas = chooseAreas(Math.random());
        const { removed, foreign } = await sweepEvidenceObjects(objects, {
          olderThanMs: orphanAfterMs,
          areas,
        });
        if (removed > 0) logger.info({ count: removed }, 'unusable evidence removed');
        if (foreign > 0) logger.error({ count: foreign }, 'foreign objects found in the evidence store');
      } catch (err) {
        logger.error({ err }, 'evidence sweep failed; will be retried');
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
