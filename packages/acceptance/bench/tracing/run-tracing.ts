import type { StackInfo } from '@rubrica/stack';
import { startPartner, type TestPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { untilQuiet } from '../cpu.ts';
import { measureCost, type RequestCost } from '../request-cost.ts';
import { startWithNpm } from '../stack-process.ts';
import { median } from '../statistics.ts';
import { formatSection, type Row } from '../table.ts';
import { startCountingCollector } from './counting-collector.ts';

export interface TracingOptions {
  readonly rounds: number;
  readonly durationMs: number;
}

const kinds = ['status', 'registration'] as const;
type Kind = (typeof kinds)[number];

/** Share of the rate that tracing a tenth may cost. */
const mostLost = 0.03;

interface TracedStack {
  readonly name: string;
  readonly info: StackInfo;
  readonly home: string;
  readonly folder: string;
  readonly partner: TestPartner;
}

/** A stack for each, because the settings are read at the start. */
function variants(endpoint: string) {
  const collected = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  return [
    { name: 'no collector', port: 4500, env: {} },
    { name: 'every trace', port: 4700, env: { ...collected, OTEL_TRACES_SAMPLER: 'parentbased_always_on' } },
    { name: 'a tenth, as it is unless set', port: 4900, env: collected },
  ] as const;
}

/**
 * What tracing costs: three stacks side by side, measured in turn. Each round compares what was measured within the
 * same minute; the median of the rounds counts.
 * @returns whether tracing a tenth costs no more of the rate than it may
 */
export async function runTracing(
  { rounds, durationMs }: TracingOptions,
  say: (text: string) => void,
): Promise<boolean> {
  await using owned = new AsyncDisposableStack();
  const collector = owned.use(await startCountingCollector());
  const stacks: TracedStack[] = [];
  for (const { name, port, env } of variants(collector.endpoint)) {
    const { home, folder, remember } = owned.use(await stackHome('bench-tracing'));
    const { info } = owned.use(await startWithNpm(home, { port, env }));
    await remember(info.databaseUrl);
    const partner = owned.use(await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox }));
    stacks.push({ name, info, home, folder, partner });
  }
  say('Three stacks run. Measuring in turn');
  await Promise.all(stacks.map(({ home }) => untilQuiet(home)));
  const lost: number[] = [];
  for (const kind of kinds) {
    const seen: RequestCost[][] = [];
    for (let round = 0; round < rounds; round += 1)
      seen.push(await measureRound(stacks, { kind, durationMs, isReversed: round % 2 === 1 }));
    say(formatSection(`CPU of a ${kind}, all processes, median of ${rounds} rounds`, rowsOf(stacks, seen)));
    lost.push(-changeOf(seen, 2, ({ perSecond }) => perSecond));
  }
  say(`${collector.spans()} spans were collected.`);
  return lost.every((share) => share <= mostLost);
}

/** Of every stack, in their order; every other round runs the other way round. */
async function measureRound(
  stacks: readonly TracedStack[],
  { kind, durationMs, isReversed }: { kind: Kind; durationMs: number; isReversed: boolean },
): Promise<RequestCost[]> {
  const costs: RequestCost[] = [];
  for (const stack of isReversed ? stacks.toReversed() : stacks)
    costs.push(await measureCost(kind, { ...stack, durationMs }));
  return isReversed ? costs.toReversed() : costs;
}

/** By which share a figure of the stack at `index` differs from the first's, round by round; the median of the rounds. */
function changeOf(
  seen: readonly (readonly RequestCost[])[],
  index: number,
  figure: (cost: RequestCost) => number,
): number {
  return median(
    seen.map((costs) => {
      const [first, own] = [costs[0], costs[index]];
      return first && own ? figure(own) / figure(first) - 1 : Number.NaN;
    }),
  );
}

function rowsOf(stacks: readonly TracedStack[], seen: readonly (readonly RequestCost[])[]): Row[] {
  return stacks.map(({ name }, index) => {
    const own = seen.flatMap((costs) => costs[index] ?? []);
    const rate = median(own.map(({ perSecond }) => perSecond)).toFixed(0);
    const faster = percent(changeOf(seen, index, ({ perSecond }) => perSecond));
    const dearer = percent(changeOf(seen, index, ({ totalMs }) => totalMs));
    return {
      what: name,
      value: `${median(own.map(({ totalMs }) => totalMs)).toFixed(3)} ms`,
      note: index === 0 ? `${rate}/s` : `${rate}/s; rate ${faster}, CPU ${dearer}`,
    };
  });
}

function percent(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`;
}
