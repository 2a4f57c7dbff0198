import { setTimeout as delay } from 'node:timers/promises';
import { type Cpu, readCpu, usedBetween } from '../cpu.ts';
import { measureCost, type RequestCost } from '../request-cost.ts';
import { median } from '../statistics.ts';
import { callOnce, findCursor, storedCalls } from './calls.ts';
import { knownValues, type StoredStack } from './stored-stack.ts';

/** Values of both stacks, measured alternately. */
export interface Pair<T> {
  readonly small: T;
  readonly large: T;
}

export interface MeasuredCall extends Pair<number> {
  readonly name: string;
}

/** Measures the milliseconds of each call: the median of rounds that alternate between both stacks. */
export async function measureCalls(
  { small, large }: Pair<StoredStack>,
  rounds: number,
): Promise<MeasuredCall[]> {
  const calls = {
    small: storedCalls(await knownValues(small.client)),
    large: storedCalls(await knownValues(large.client)),
  };
  const measured: MeasuredCall[] = [];
  for (const [index, ofLarge] of calls.large.entries()) {
    const ofSmall = calls.small[index] as typeof ofLarge;
    const cursors = {
      small: await findCursor(small, ofSmall),
      large: await findCursor(large, ofLarge),
    };
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      times.small.push(await callOnce(small, ofSmall, cursors.small));
      times.large.push(await callOnce(large, ofLarge, cursors.large));
    }
    measured.push({ name: ofLarge.name, small: median(times.small), large: median(times.large) });
  }
  return measured;
}

/** Measures the cost of a status query and of a registration on both, in alternating rounds: the median of each. */
export async function measureCosts(
  stacks: Pair<StoredStack>,
  { rounds, durationMs }: { readonly rounds: number; readonly durationMs: number },
): Promise<Pair<RequestCost>[]> {
  const pairs: Pair<RequestCost>[] = [];
  for (const kind of ['status', 'registration'] as const) {
    const seen: Pair<RequestCost>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const small = await measureCost(kind, { ...stacks.small, durationMs });
      seen.push({ small, large: await measureCost(kind, { ...stacks.large, durationMs }) });
    }
    pairs.push({ small: middle(seen.map((one) => one.small)), large: middle(seen.map((one) => one.large)) });
  }
  return pairs;
}

function middle(costs: readonly RequestCost[]): RequestCost {
  return costs.toSorted((a, b) => a.totalMs - b.totalMs)[Math.floor((costs.length - 1) / 2)] as RequestCost;
}

/** Measures the CPU milliseconds of both without calls, at the same time. */
export async function measureIdle(
  { small, large }: Pair<StoredStack>,
  durationMs: number,
): Promise<Pair<Cpu>> {
  const before = { small: await readCpu(small.home), large: await readCpu(large.home) };
  await delay(durationMs);
  return {
    small: usedBetween(before.small, await readCpu(small.home)),
    large: usedBetween(before.large, await readCpu(large.home)),
  };
}
