import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database';
import { type Metrics, metric } from '@rubrica/process';
import { createMove, type MoveDeps, statusesAfter } from './move-evidence.ts';
import { isToMove } from './move-sql.ts';

const lookEveryMs = MINUTE_MS;
const mostCounted = 10_000;

/** Of the first 10,000 that the mover looks through. */
const countDue = statement<{ readonly statuses: readonly Status[] }, { readonly count: number }>({
  name: 'count-evidence-to-move',
  sql: `
select count(*)::int as count from (
  select status, evidence_key, content is not null as is_inline
  from evidence join request on request.id = evidence.request_id
  where ${isToMove} order by evidence.id limit ${mostCounted}
) as one where is_inline and status = any(:statuses::text[]) and evidence_key is not null`,
});

type Needs = Omit<MoveDeps, 'onMoved'>;

/** Moves what there is every minute, at a moment of its own in each copy, until stopped. */
export function startMove(
  deps: Needs,
  { metrics }: { readonly metrics: Pick<Metrics, 'counter' | 'gauge'> },
): { stop(): Promise<void> } {
  const files = metrics.counter(metric('rubrica_evidence_moved_total'));
  let movedBytes = 0;
  metrics.counter({ ...metric('rubrica_evidence_moved_bytes_total'), collect: () => movedBytes });
  metrics.gauge({
    ...metric('rubrica_evidence_inline'),
    async collect(gauge) {
      const [row] = await countDue.run(deps.database, { statuses: statusesAfter[deps.settings.after] });
      gauge.set(row?.count ?? 0);
    },
  });
  const onMoved: MoveDeps['onMoved'] = (outcome, size) => {
    files.inc({ outcome });
    if (outcome === 'moved') movedBytes += size;
  };
  const move = createMove({ ...deps, onMoved });
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (deps.settings.after !== 'never' && !signal.aborted) {
      await delay(lookEveryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      try {
        while (!signal.aborted && (await move(signal)));
      } catch (err) {
        deps.logger.error({ err }, 'moving evidence failed; the next round tries again');
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
