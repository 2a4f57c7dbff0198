import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectStore } from '@rubrica/bus';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { type SqlRunner, statement } from '@rubrica/database';
import type { Logger } from '@rubrica/process';

/** An upload comes before its row; a younger object may still get one. */
const orphanAfterMs = HOUR_MS;
const batchSize = 200;

/** Objects whose row is there and whose request still holds the key that opens them. */
const wanted = statement<{ readonly names: readonly string[] }, { readonly objectName: string }>({
  name: 'wanted-evidence-objects',
  sql: `
select object_name as "objectName" from evidence join request on request.id = evidence.request_id
where object_name = any(:names) and evidence_key is not null`,
});

export interface EvidenceObjects {
  readonly store: Pick<ObjectStore, 'list' | 'delete' | 'sweepUnfinished'>;
  readonly sql: SqlRunner;
}

/**
 * Removes evidence from the object store that nothing can use any more: uploads whose registration never came,
 * and those whose key was destroyed. Several copies may sweep at once: what is gone is gone.
 * @returns how many objects were removed
 */
export async function sweepEvidenceObjects(
  { store, sql }: EvidenceObjects,
  options: { olderThanMs: number },
): Promise<number> {
  let removed = await store.sweepUnfinished(options);
  let batch: string[] = [];
  const removeUnwanted = async () => {
    const rows = await wanted.run(sql, { names: batch });
    const kept = new Set(rows.map(({ objectName }) => objectName));
    for (const name of batch.filter((one) => !kept.has(one))) if (await store.delete(name)) removed += 1;
    batch = [];
  };
  for await (const { name } of store.list(options)) {
    batch.push(name);
    if (batch.length === batchSize) await removeUnwanted();
  }
  if (batch.length > 0) await removeUnwanted();
  return removed;
}

/** Sweeps every hour, at a moment of its own in each copy, until stopped. */
export function startEvidenceSweep(objects: EvidenceObjects, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(HOUR_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const count = await sweepEvidenceObjects(objects, { olderThanMs: orphanAfterMs });
        if (count > 0) logger.info({ count }, 'evidence that nothing can use was removed');
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
