import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Operator } from './operator.entity.ts';

const bindingMs = 7 * DAY_MS;

/** In `madeBy`: the organisation's OpenID provider did it, and nobody here knows who there. */
export const organisation = 'organisation';

type Person = Pick<Operator, 'id' | 'madeBy'>;

function wasMadeBy({ madeBy }: Person, other: Person, now: Date): boolean {
  return madeBy.some(
    ({ operatorId, at }) =>
      (operatorId === other.id || operatorId === organisation) && now.getTime() - Date.parse(at) < bindingMs,
  );
}

/**
 * Whether two administrators are two persons for a change: neither has invited or promoted the other, or reset the other's
 * factors, within seven days. Else one person could make a second one for a change. Whom the organisation's provider has
 * made or promoted may be anybody's work, so he is nobody's second person for as long.
 */
export function areIndependent(one: Person, other: Person, now: Date): boolean {
  return one.id !== other.id && !wasMadeBy(one, other, now) && !wasMadeBy(other, one, now);
}
