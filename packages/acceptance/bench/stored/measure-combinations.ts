import { median } from '../statistics.ts';
import { formatSection } from '../table.ts';
import { callOnce, type StoredCall } from './calls.ts';
import { everyCombination } from './combinations.ts';
import { knownValues, type StoredStack } from './stored-stack.ts';

export interface MeasuredCombination {
  readonly call: StoredCall;
  readonly ms: number;
}

const mostMs = 50;
const fewTries = 3;
/** More tries where the first ones were slow, to reduce the effect of other work. */
const moreTries = 9;
const maxShown = 20;

/** Measures each combination's milliseconds, slowest first. */
export async function measureCombinations(
  stack: Pick<StoredStack, 'client' | 'operator' | 'partners'>,
): Promise<MeasuredCombination[]> {
  const measured: MeasuredCombination[] = [];
  const tried = async (call: StoredCall, tries: number) => {
    const times: number[] = [];
    for (let count = 0; count < tries; count += 1) times.push(await callOnce(stack, call, undefined));
    return median(times);
  };
  for (const call of everyCombination(await knownValues(stack.client))) {
    const first = await tried(call, fewTries);
    measured.push({ call, ms: first > mostMs ? await tried(call, moreTries) : first });
  }
  return measured.toSorted((a, b) => b.ms - a.ms);
}

export function combinationsSection(measured: readonly MeasuredCombination[]): string {
  const slow = measured.filter(({ ms }) => ms > mostMs).length;
  const rows = measured
    .slice(0, Math.max(maxShown, slow))
    .map(({ call, ms }) => ({ what: call.name, value: ms.toFixed(1), note: '' }));
  return formatSection(
    `The slowest of ${measured.length} combinations of filters, ms; ${slow} above ${mostMs}, median ${median(measured.map(({ ms }) => ms)).toFixed(1)}`,
    rows,
  );
}
