import { setTimeout as delay } from 'node:timers/promises';
import type { EvidenceArea } from '@rubrica/contracts/services/schemas/evidence';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { type SqlRunner, statement } from '@rubrica/database';
import type { EvidenceStore, SweepOptions, Swept } from '@rubrica/evidence-store';
import type { Logger } from '@rubrica/process';

/** An upload comes before its row: longer than the gateway may take for a whole request (`REQUEST_TIMEOUT_SECONDS`). */
const orphanAfterMs = 40 * MINUTE_MS;
/** Often, because nobody else removes the files of bodies that were refused. */
const sweepEveryMs = 10 * MINUTE_MS;
/** What is kept for years is long, and little of it is too much: looked through about once a day. */
const partOfAllRounds = 1 / 144;

/** Objects whose row is there and whose request still holds the key that opens them; and what waits for the end of its lock. */
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
 * Removes evidence from the stores that nothing can use any more: uploads whose registration never came,
 * and those whose key was destroyed. The gateway can remove none. Several copies may sweep at once: what is gone is gone.
 */
export async function sweepEvidenceObjects(
  { stores, sql }: EvidenceObjects,
  { olderThanMs, areas }: Pick<SweepOptions, 'olderThanMs' | 'areas'>,
): Promise<Swept> {
  const wanted = async (ids: readonly string[]) =>
    new Set((await findWanted.run(sql, { ids })).map(({ id }) => id));
  const swept = await Promise.all(
    stores.map((store) => store.sweep({ olderThanMs, wanted, ...(areas === undefined ? {} : { areas }) })),
  );
  const sum = (of: keyof Swept) => swept.reduce((count, one) => count + one[of], 0);
  return { removed: sum('removed'), foreign: sum('foreign') };
}

/**
 * By lot and not by count: a copy that is started anew each day would never come to the round in which all is looked through.
 *
 * @param lot from 0 to 1
 */
export function areasOfRound(lot: number): readonly EvidenceArea[] {
  return lot < partOfAllRounds ? ['incoming', 'kept'] : ['incoming'];
}

/** Sweeps every ten minutes, at a moment of its own in each copy, until stopped. */
export function startEvidenceSweep(objects: EvidenceObjects, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(sweepEveryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const areas = areasOfRound(Math.random());
        const { removed, foreign } = await sweepEvidenceObjects(objects, {
          olderThanMs: orphanAfterMs,
          areas,
        });
        if (removed > 0) logger.info({ count: removed }, 'evidence that nothing can use was removed');
        if (foreign > 0)
          logger.error({ count: foreign }, 'the evidence store holds what no service of ours writes');
      } catch (err) {
        logger.error({ err }, 'sweeping evidence failed; the next round tries again');
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
