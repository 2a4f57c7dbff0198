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

/** What tracing a tenth may add to the CPU of a request. */
const mostAdded = 0.03;

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
  const share = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
  return [
    { name: 'no collector', port: 4500, env: {} },
    { name: 'every trace', port: 4700, env: collected },
    { name: 'a tenth', port: 4900, env: { ...collected, ...share } },
  ] as const;
}

/**
 * What tracing costs: three stacks side by side, measured in turn. Each round compares what was measured within the
 * same minute; the median of the rounds counts.
 * @returns whether tracing a tenth adds no more than it may
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
  const added: number[] = [];
  for (const kind of kinds) {
    const seen: RequestCost[][] = [];
    for (let round = 0; round < rounds; round += 1)
      seen.push(await measureRound(stacks, { kind, durationMs, isReversed: round % 2 === 1 }));
    say(formatSection(`CPU of a ${kind}, all processes, median of ${rounds} rounds`, rowsOf(stacks, seen)));
    added.push(addedBy(seen, 2));
  }
  say(`${collector.spans()} spans were collected.`);
  return added.every((share) => share <= mostAdded);
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

/** Share of CPU that the stack at `index` uses more than the first, of each round; the median of the rounds. */
function addedBy(seen: readonly (readonly RequestCost[])[], index: number): number {
  return median(seen.map((costs) => (costs[index]?.totalMs ?? 0) / (costs[0]?.totalMs ?? 0) - 1));
}

function rowsOf(stacks: readonly TracedStack[], seen: readonly (readonly RequestCost[])[]): Row[] {
  return stacks.map(({ name }, index) => {
    const own = seen.flatMap((costs) => costs[index] ?? []);
    const rate = median(own.map(({ perSecond }) => perSecond)).toFixed(0);
    const share = `${(addedBy(seen, index) * 100).toFixed(1)} %`;
    return {
      what: name,
      value: `${median(own.map(({ totalMs }) => totalMs)).toFixed(3)} ms`,
      note: index === 0 ? `${rate}/s` : `${rate}/s; ${share} more CPU`,
    };
  });
}
