import type { Database } from '@rubrica/database/connection';
import type { UseCase } from '@rubrica/wiring';
import { findById } from '../store/schema.ts';
import {
  lowestEventId,
  type OwnEvent,
  selectPartnerEvents,
  selectRequestEvents,
  toStoredStates,
} from './own-events.ts';

/** Number of events that one page scans for a type. */
const scanLimit = 500;
const lowestUuid = '00000000-0000-0000-0000-000000000000';
const highestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Lists the webhook events of the calling partner, newest first.
 * @throws AppError FIELD_INVALID for an unknown cursor
 */
export function createListEvents({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'notifier', 'events.list'> {
  return async ({ cursor, limit, type, state, requestId, from, to }, { caller: { partnerId } }) => {
    const before = to === undefined ? highestUuid : lowestEventId(new Date(to));
    const after = cursor === undefined ? highestUuid : findById.readCursor(cursor).id;
    const scanned = type === undefined ? limit + 1 : scanLimit;
    const range = {
      partnerId,
      states: toStoredStates(state),
      since: from === undefined ? lowestUuid : lowestEventId(new Date(from)),
      below: [after, before].toSorted()[0] ?? after,
      limit: scanned,
    };
    const rows =
      requestId === undefined
        ? await selectPartnerEvents.run(database, range)
        : await selectRequestEvents.run(database, { ...range, requestId });
    const matching = type === undefined ? rows : rows.filter((row) => row.type === type);
    const isComplete = rows.length < scanned;
    return buildPage(matching, { limit, end: isComplete ? undefined : rows.at(-1) });
  };
}

/**
 * Builds a page.
 * @param end last scanned event, where older ones may be left
 */
function buildPage(
  matching: readonly OwnEvent[],
  { limit, end }: { limit: number; end: OwnEvent | undefined },
) {
  const items = matching.slice(0, limit);
  const last = matching.length > limit ? items.at(-1) : end;
  return { items, nextCursor: last === undefined ? null : findById.writeCursor({ id: last.eventId }) };
}
