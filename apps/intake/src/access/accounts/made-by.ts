import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Decider } from '@rubrica/wiring/approvals';
import type { MadeBy } from '../operators/operator.entity.ts';

/** Longer than it binds anybody; what is older is of no use. */
const keptMs = 30 * DAY_MS;

/** With both administrators of what was done just now. */
export function madeByWith(
  earlier: readonly MadeBy[],
  { operatorId, proposedBy }: Pick<Decider, 'operatorId' | 'proposedBy'>,
  { action, now }: { readonly action: MadeBy['action']; readonly now: Date },
): MadeBy[] {
  const people = [...new Set([operatorId, proposedBy ?? operatorId])];
  const at = now.toISOString();
  return [
    ...earlier.filter((one) => now.getTime() - Date.parse(one.at) < keptMs),
    ...people.map((person) => ({ operatorId: person, at, action })),
  ];
}
