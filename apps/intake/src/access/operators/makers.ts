import type { Decider } from '@rubrica/approvals/administrator-change';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Maker, Operator } from './operator.entity.ts';

const independenceMs = 7 * DAY_MS;

/** Entry of `madeBy` for an action at the organisation's OpenID provider, by an unknown person. */
export const organisationMaker = 'organisation';

type Person = Pick<Operator, 'id' | 'madeBy'>;

function wasMadeBy({ madeBy }: Person, other: Person, now: Date): boolean {
  return madeBy.some(
    ({ operatorId, at }) =>
      (operatorId === other.id || operatorId === organisationMaker) &&
      now.getTime() - Date.parse(at) < independenceMs,
  );
}

/**
 * Returns whether two administrators count as two persons for a change. Neither has invited or promoted the
 * other, or reset the other's factors, within seven days. Otherwise one person could create a second one for
 * a change. An administrator made or promoted by the organisation's provider may be anybody's work, and is
 * nobody's approver for as long.
 */
export function areIndependent(first: Person, other: Person, now: Date): boolean {
  return first.id !== other.id && !wasMadeBy(first, other, now) && !wasMadeBy(other, first, now);
}

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
