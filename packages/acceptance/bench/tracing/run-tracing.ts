import { startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { measureCost, type RequestCost } from '../request-cost.ts';
import { startWithNpm } from '../stack-process.ts';
import { median } from '../statistics.ts';
import { formatSection, type Row } from '../table.ts';
import { startCountingCollector } from './counting-collector.ts';

export interface TracingOptions {
  /** Of the rounds and the time to warm up; 1 is all. */
  readonly part: number;
}

const kinds = ['status', 'registration'] as const;
type Kind = (typeof kinds)[number];

/** Share of the rate that tracing may cost as it is unless set. */
const mostLost = 0.03;

/** Shares of traces that are kept, each measured against the first. */
const variants = [
  { name: 'none', keptTraces: 0 },
  { name: 'a twentieth, as it is unless set', keptTraces: 0.05 },
  { name: 'every trace', keptTraces: 1 },
] as const;
const unlessSet = 1;

/** Each kind takes as many shots as its figures need: a registration's cost is followed to its end. */
const plans: Readonly<Record<Kind, { readonly rounds: number; readonly shotMs: number }>> = {
  status: { rounds: 12, shotMs: 2_000 },
  registration: { rounds: 8, shotMs: 4_000 },
};

/**
 * What one call in twenty runs takes that long until it is compiled, and is interpreted before at many times its later
 * price.
 */
const warmUpMs = 15_000;

/**
 * What tracing costs. The callers decide by their `traceparent` which traces are kept, so that it changes on one stack
 * every few seconds: two stacks differ by several percent from start to start, by how V8 comes to compile them. Each round
 * compares what was measured within seconds. So it does not show what a collector costs that gets none of the traces, nor the
 * first seconds after a start; the mean of the rounds counts, without the quarter at each end.
 * @returns whether tracing as it is unless set costs no more of the rate than it may
 */
export async function runTracing({ part }: TracingOptions, say: (text: string) => void): Promise<boolean> {
  await using owned = new AsyncDisposableStack();
  const collector = owned.use(await startCountingCollector());
  const { home, folder, remember } = owned.use(await stackHome('bench-tracing'));
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  const { info } = owned.use(await startWithNpm(home, { env }));
  await remember(info.databaseUrl);
  const partner = owned.use(await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox }));
  const measure = (kind: Kind, durationMs: number, keptTraces: number) =>
    measureCost(kind, { info, home, folder, partner, durationMs, keptTraces });
  for (const { keptTraces } of variants) await measure('status', warmUpMs * part, keptTraces);
  const lost: number[] = [];
  for (const kind of kinds) {
    const { rounds, shotMs } = plans[kind];
    const seen: RequestCost[][] = [];
    for (let round = 0; round < Math.ceil(rounds * part); round += 1) {
      const costs: RequestCost[] = [];
      // Each is first, in the middle and last in its turn.
      for (const at of variants.keys()) {
        const index = (at + round) % variants.length;
        costs[index] = await measure(kind, shotMs, variants[index]?.keptTraces ?? 0);
      }
      seen.push(costs);
    }
    say(formatSection(`CPU of a ${kind}, all processes, ${seen.length} rounds`, rowsOf(seen)));
    lost.push(-changeOf(seen, unlessSet, ({ perSecond }) => perSecond).mean);
  }
  say(`${collector.spans()} spans were collected.`);
  return lost.every((share) => share <= mostLost);
}

/** By which share a figure of one variant differs from the first's, round by round. */
function changeOf(
  seen: readonly (readonly RequestCost[])[],
  index: number,
  figure: (cost: RequestCost) => number,
): { readonly mean: number; readonly error: number } {
  const changes = seen.map((costs) => {
    const [first, own] = [costs[0], costs[index]];
    return first && own ? figure(own) / figure(first) - 1 : Number.NaN;
  });
  const cut = Math.floor(changes.length / 4);
  const inner = changes.toSorted((a, b) => a - b).slice(cut, changes.length - cut);
  const mean = inner.reduce((sum, change) => sum + change, 0) / inner.length;
  const squares = inner.reduce((sum, change) => sum + (change - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (inner.length - 1) / inner.length) };
}

function rowsOf(seen: readonly (readonly RequestCost[])[]): Row[] {
  return variants.map(({ name }, index) => {
    const own = seen.flatMap((costs) => costs[index] ?? []);
    const rate = `${median(own.map(({ perSecond }) => perSecond)).toFixed(0)}/s`;
    const faster = percent(changeOf(seen, index, ({ perSecond }) => perSecond));
    const dearer = percent(changeOf(seen, index, ({ totalMs }) => totalMs));
    return {
      what: name,
      value: `${median(own.map(({ totalMs }) => totalMs)).toFixed(3)} ms`,
      note: index === 0 ? rate : `${rate}; rate ${faster}, CPU ${dearer}`,
    };
  });
}

function percent({ mean, error }: { readonly mean: number; readonly error: number }): string {
  return `${mean < 0 ? '−' : '+'}${Math.abs(mean * 100).toFixed(1)} ± ${(error * 100).toFixed(1)} %`;
}
