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

interface Variant {
  readonly name: string;
  readonly port: number;
  /** Settings of its stack, given where the collector listens. */
  env(endpoint: string): NodeJS.ProcessEnv;
}

/** Each has a stack of its own, which is asked as often as the others', and is measured against the first. */
const variants: readonly Variant[] = [
  { name: 'no collector', port: 4500, env: () => ({}) },
  {
    name: 'a collector, as it is unless set',
    port: 4700,
    env: (endpoint) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
  },
  {
    name: 'a collector, every trace',
    port: 4900,
    env: (endpoint) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '1' }),
  },
];
const unlessSet = 1;

const allStarts = 3;
/** Each kind takes as many shots as its figures need: a registration's cost is followed to its end. */
const plans: Readonly<Record<Kind, { readonly rounds: number; readonly shotMs: number }>> = {
  status: { rounds: 8, shotMs: 2_000 },
  registration: { rounds: 4, shotMs: 2_000 },
};

/**
 * What one call in twenty runs takes that long until it is compiled, and is interpreted before at many times its later
 * price.
 */
const warmUpMs = 15_000;

type Measure = (kind: Kind, durationMs: number) => Promise<RequestCost>;
/** By start. */
type Seen = readonly (readonly Round<RequestCost>[])[];

/**
 * What tracing costs: stacks side by side, each asked for some seconds in turn. Two stacks of the same settings differ by
 * up to 3 % from start to start, so all are started anew a few times and the mean counts. So it does not show the first
 * seconds after a start.
 * @returns whether tracing as it is unless set costs no more of the rate than it may
 */
export async function runTracing({ part }: TracingOptions, say: (text: string) => void): Promise<boolean> {
  await using collector = await startCountingCollector();
  const seen: Record<Kind, Round<RequestCost>[][]> = { status: [], registration: [] };
  const starts = Math.ceil(allStarts * part);
  for (let start = 0; start < starts; start += 1) {
    say(`Start ${start + 1} of ${starts}: ${variants.length} stacks side by side, each asked in turn.`);
    await using owned = new AsyncDisposableStack();
    const stacks = await startStacks(collector.endpoint, owned, start);
    for (const measure of stacks) await measure('status', warmUpMs * part);
    for (const kind of kinds) seen[kind].push(await measureRounds(stacks, kind, part));
  }
  for (const kind of kinds) {
    const title = `CPU of a ${kind}, all processes, ${starts} starts`;
    say(formatSection(title, rowsOf(seen[kind])));
  }
  say(`${collector.spans()} spans were collected.`);
  return kinds.every((kind) => -changeOf(seen[kind], unlessSet, perSecond).mean <= mostLost);
}

/** By variant. */
async function startStacks(endpoint: string, owned: AsyncDisposableStack, start: number): Promise<Measure[]> {
  const stacks: Measure[] = [];
  for (const index of inTurn(start)) {
    const { port, env } = variants[index] as Variant;
    const { home, folder, remember } = owned.use(await stackHome(`bench-tracing-${index}`));
    const { info } = owned.use(await startWithNpm(home, { env: env(endpoint), port }));
    await remember(info.databaseUrl);
    const partner = owned.use(await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox }));
    stacks[index] = (kind, durationMs) => measureCost(kind, { info, home, folder, partner, durationMs });
  }
  return stacks;
}

async function measureRounds(
  stacks: readonly Measure[],
  kind: Kind,
  part: number,
): Promise<Round<RequestCost>[]> {
  const { rounds, shotMs } = plans[kind];
  const seen: Round<RequestCost>[] = [];
  for (let round = 0; round < Math.ceil(rounds * part); round += 1) {
    const costs: RequestCost[] = [];
    for (const index of inTurn(round)) costs[index] = await (stacks[index] as Measure)(kind, shotMs);
    seen.push(costs);
  }
  return seen;
}

/** All variants, each of them first, in the middle and last over the turns. */
function inTurn(turn: number): number[] {
  return [...variants.keys()].map((at) => (at + turn) % variants.length);
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
