import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { statement } from '@rubrica/database';
import { type Metrics, metric } from '@rubrica/process';
import { createMove, type MoveDeps } from './move-evidence.ts';

const lookEveryMs = MINUTE_MS;
const mostCounted = 10_000;

const countInline = statement<object, { readonly count: number }>({
  name: 'count-inline-evidence',
  sql: `
select count(*)::int as count from (
  select from evidence where content is not null order by id limit ${mostCounted}
) as one`,
});

type Needs = Omit<MoveDeps, 'onMoved'>;

/** Moves what there is every minute, at a moment of its own in each copy, until stopped. */
export function startMove(
  deps: Needs,
  { metrics }: { readonly metrics: Pick<Metrics, 'counter' | 'gauge'> },
): { stop(): Promise<void> } {
  const files = metrics.counter(metric('rubrica_evidence_moved_total'));
  metrics.gauge({
    ...metric('rubrica_evidence_inline'),
    async collect(gauge) {
      const [row] = await countInline.run(deps.database, {});
      gauge.set(row?.count ?? 0);
    },
  });
  const move = createMove({ ...deps, onMoved: (outcome) => files.inc({ outcome }) });
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
