import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database/statement';
import { type Metrics, metric } from '@rubrica/process/metrics';
import { createMove, type MoveDeps, statusesAfter } from './move-evidence.ts';
import { isToMove } from './move-sql.ts';

const everyMs = MINUTE_MS;
const maxCounted = 10_000;

/** Counts among the first 10,000 rows that the mover reads. */
const countDue = statement<{ readonly statuses: readonly Status[] }, { readonly count: number }>({
  name: 'count-evidence-to-move',
  sql: `
select count(*)::int as count from (
  select status, evidence_key, content is not null as is_inline
  from evidence join request on request.id = evidence.request_id
  where ${isToMove} order by evidence.id limit ${maxCounted}
) as one where is_inline and status = any(:statuses::text[]) and evidence_key is not null`,
});

type StartMoveDeps = Omit<MoveDeps, 'onMoved'>;

/** Moves due evidence every minute, at a random moment in each copy, until stopped. */
export function startMove(
  deps: StartMoveDeps,
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
      await delay(everyMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      try {
        while (!signal.aborted && (await move(signal)));
      } catch (err) {
        deps.logger.error({ err }, 'evidence move failed; will be retried');
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
