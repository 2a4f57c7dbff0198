import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { statement } from '@rubrica/database/statement';
import { type Metrics, metric } from '@rubrica/process/metrics';
import { type FaultyOutcome, faultyOutcomes } from './judge-evidence.ts';
import { createScrub, type ScrubDeps } from './scrub-evidence.ts';

const everyMs = MINUTE_MS;
const maxCounted = 10_000;

const countFaulty = statement<object, { readonly outcome: FaultyOutcome; readonly count: number }>({
  name: 'count-faulty-evidence',
  sql: `
select outcome, count(*)::int as count from (select outcome from evidence_fault limit ${maxCounted}) as one
group by outcome`,
});

const findDue = statement<object, { readonly dueAt: string }>({
  name: 'evidence-scrub-due',
  sql: 'select due_at as "dueAt" from evidence_scrub',
});

type StartScrubDeps = Omit<ScrubDeps, 'onRead'>;

/**
 * Reads due evidence every minute, at a random moment in each copy, until stopped. Without days it does
 * nothing.
 */
export function startScrub(
  deps: StartScrubDeps,
  { metrics }: { readonly metrics: Pick<Metrics, 'counter' | 'gauge'> },
): { stop(): Promise<void> } {
  const onRead = exposeScrub(deps, metrics);
  const scrub = createScrub({ ...deps, onRead });
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (deps.settings.days > 0 && !signal.aborted) {
      await delay(everyMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      try {
        while (!signal.aborted && (await scrub(signal)));
      } catch (err) {
        deps.logger.error({ err }, 'evidence scrub failed; will be retried');
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

function exposeScrub(
  { database, settings, clock }: StartScrubDeps,
  metrics: Pick<Metrics, 'counter' | 'gauge'>,
): ScrubDeps['onRead'] {
  const read = metrics.counter(metric('rubrica_evidence_scrubbed_total'));
  metrics.gauge({
    ...metric('rubrica_evidence_faulty'),
    async collect(gauge) {
      const counts = new Map(
        (await countFaulty.run(database, {})).map(({ outcome, count }) => [outcome, count]),
      );
      for (const outcome of faultyOutcomes) gauge.set({ outcome }, counts.get(outcome) ?? 0);
    },
  });
  metrics.gauge({
    ...metric('rubrica_evidence_scrub_behind_seconds'),
    async collect(gauge) {
      const [row] = settings.days === 0 ? [] : await findDue.run(database, {});
      const behindMs = row === undefined ? 0 : clock().getTime() - Date.parse(row.dueAt);
      gauge.set(Math.max(0, behindMs / 1_000));
    },
  });
  return (outcome) => read.inc({ outcome });
}
