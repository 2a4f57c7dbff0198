import type { Decider } from '@rubrica/approvals/administrator-change';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Maker } from '../operators/operator.entity.ts';

/** Time for which an entry is kept, longer than it binds anybody. */
const keptMs = 30 * DAY_MS;

/** Adds both administrators of an action to the makers of an operator, and drops expired entries. */
export function addMakers(
  earlier: readonly Maker[],
  { operatorId, proposedBy }: Pick<Decider, 'operatorId' | 'proposedBy'>,
  { action, now }: { readonly action: Maker['action']; readonly now: Date },
): Maker[] {
  const people = [...new Set([operatorId, proposedBy ?? operatorId])];
  const at = now.toISOString();
  return [
    ...earlier.filter((entry) => now.getTime() - Date.parse(entry.at) < keptMs),
    ...people.map((id) => ({ operatorId: id, at, action })),
  ];
}
