import { startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { measureCost, type RequestCost } from '../request-cost.ts';
import { startWithNpm } from '../stack-process.ts';
import { median } from '../statistics.ts';
import { formatSection, type Row } from '../table.ts';
import { changeOf, percent, type Round } from './changes.ts';
import { startCountingCollector } from './counting-collector.ts';

export interface TracingOptions {
  /** Of the starts, the rounds and the time to warm up; 1 is all. */
  readonly part: number;
}

const kinds = ['status', 'registration'] as const;
type Kind = (typeof kinds)[number];

/** Share of the rate that tracing may cost as it is unless set. */
const mostLost = 0.03;

const stackNames = ['without', 'with'] as const;
type StackName = (typeof stackNames)[number];

interface Variant {
  readonly name: string;
  readonly stack: StackName;
  /** Where the callers say by their `traceparent` which traces are kept, and not the services. */
  readonly keptTraces?: number;
}

/** Each is measured against the first. */
const variants: readonly Variant[] = [
  { name: 'no collector', stack: 'without' },
  { name: 'a collector, as it is unless set', stack: 'with' },
  { name: 'a collector, every trace', stack: 'with', keptTraces: 1 },
];
const unlessSet = 1;

const allStarts = 3;
/** Each kind takes as many shots as its figures need: a registration's cost is followed to its end. */
const plans: Readonly<Record<Kind, { readonly rounds: number; readonly shotMs: number }>> = {
  status: { rounds: 8, shotMs: 2_000 },
  registration: { rounds: 4, shotMs: 4_000 },
};

/**
 * What one call in twenty runs takes that long until it is compiled, and is interpreted before at many times its later
 * price.
 */
const warmUpMs = 15_000;

type Measure = (kind: Kind, durationMs: number, variant: Variant) => Promise<RequestCost>;
/** By start. */
type Seen = readonly (readonly Round<RequestCost>[])[];

/**
 * What tracing costs: of two stacks side by side one has a collector, and each is asked for some seconds in turn. Two
 * stacks of the same settings differ by up to 3 % from start to start, so both are started anew a few times and the mean
 * counts. So it does not show the first seconds after a start.
 * @returns whether tracing as it is unless set costs no more of the rate than it may
 */
export async function runTracing({ part }: TracingOptions, say: (text: string) => void): Promise<boolean> {
  await using collector = await startCountingCollector();
  const seen: Record<Kind, Round<RequestCost>[][]> = { status: [], registration: [] };
  for (let start = 0; start < Math.ceil(allStarts * part); start += 1) {
    await using owned = new AsyncDisposableStack();
    const measure = await startStacks(collector.endpoint, owned, start);
    for (const variant of variants) await measure('status', warmUpMs * part, variant);
    for (const kind of kinds) seen[kind].push(await measureRounds(measure, kind, part));
  }
  for (const kind of kinds) {
    const title = `CPU of a ${kind}, all processes, ${seen[kind].length} starts`;
    say(formatSection(title, rowsOf(seen[kind])));
  }
  say(`${collector.spans()} spans were collected.`);
  return kinds.every((kind) => -changeOf(seen[kind], unlessSet, perSecond).mean <= mostLost);
}

async function startStacks(endpoint: string, owned: AsyncDisposableStack, start: number): Promise<Measure> {
  const env = { without: {}, with: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } };
  const open = async (name: StackName) => {
    const { home, folder, remember } = owned.use(await stackHome(`bench-tracing-${name}`));
    const port = { without: 4500, with: 4700 }[name];
    const { info } = owned.use(await startWithNpm(home, { env: env[name], port }));
    await remember(info.databaseUrl);
    const partner = owned.use(await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox }));
    return { info, home, folder, partner };
  };
  const opened = new Map<StackName, Awaited<ReturnType<typeof open>>>();
  // Each is the first one in its turn, should that matter.
  for (const name of start % 2 === 0 ? stackNames : stackNames.toReversed())
    opened.set(name, await open(name));
  return (kind, durationMs, { stack, keptTraces }) => {
    const context = opened.get(stack);
    if (context === undefined) throw new Error(`the stack ${stack} a collector is not open`);
    return measureCost(kind, { ...context, durationMs, ...(keptTraces !== undefined && { keptTraces }) });
  };
}

async function measureRounds(measure: Measure, kind: Kind, part: number): Promise<Round<RequestCost>[]> {
  const { rounds, shotMs } = plans[kind];
  const seen: Round<RequestCost>[] = [];
  for (let round = 0; round < Math.ceil(rounds * part); round += 1) {
    const costs: RequestCost[] = [];
    // Each is first, in the middle and last in its turn.
    for (const at of variants.keys()) {
      const index = (at + round) % variants.length;
      costs[index] = await measure(kind, shotMs, variants[index] as Variant);
    }
    seen.push(costs);
  }
  return seen;
}

const perSecond = (cost: RequestCost) => cost.perSecond;
const totalMs = (cost: RequestCost) => cost.totalMs;

function rowsOf(starts: Seen): Row[] {
  return variants.map(({ name }, index) => {
    const own = starts.flat().flatMap((costs) => costs[index] ?? []);
    const rate = `${median(own.map(perSecond)).toFixed(0)}/s`;
    const faster = percent(changeOf(starts, index, perSecond));
    const dearer = percent(changeOf(starts, index, totalMs));
    return {
      what: name,
      value: `${median(own.map(totalMs)).toFixed(3)} ms`,
      note: index === 0 ? rate : `${rate}; rate ${faster}, CPU ${dearer}`,
    };
  });
}
