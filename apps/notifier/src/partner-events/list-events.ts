import type { Database } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import { byId } from '../store/schema.ts';
import { lowestId, newestOfPartner, newestOfRequest, type OwnEvent, statesOf } from './own-events.ts';

/** Events that one page looks at for those of a type. */
const walk = 500;
const lowest = '00000000-0000-0000-0000-000000000000';
const aboveAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Lists the webhook events of the calling partner, newest first. @throws AppError FIELD_INVALID for an unknown cursor */
export function createListEvents({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'notifier', 'events.list'> {
  return async ({ cursor, limit, type, state, requestId, from, to }, { caller: { partnerId } }) => {
    const before = to === undefined ? aboveAll : lowestId(new Date(to));
    const after = cursor === undefined ? aboveAll : byId.readCursor(cursor).id;
    const looked = type === undefined ? limit + 1 : walk;
    const stretch = {
      partnerId,
      states: statesOf(state),
      since: from === undefined ? lowest : lowestId(new Date(from)),
      below: [after, before].toSorted()[0] ?? after,
      limit: looked,
    };
    const rows =
      requestId === undefined
        ? await newestOfPartner.run(database, stretch)
        : await newestOfRequest.run(database, { ...stretch, requestId });
    const meant = type === undefined ? rows : rows.filter((row) => row.type === type);
    const isSeenToItsEnd = rows.length < looked;
    return pageOf(meant, { limit, end: isSeenToItsEnd ? undefined : rows.at(-1) });
  };
}

/** @param end last event that was looked at, where older ones may be left */
function pageOf(meant: readonly OwnEvent[], { limit, end }: { limit: number; end: OwnEvent | undefined }) {
  const items = meant.slice(0, limit);
  const last = meant.length > limit ? items.at(-1) : end;
  return { items, nextCursor: last === undefined ? null : byId.writeCursor({ id: last.eventId }) };
}
