import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as listsContract from '@rubrica/contracts/services/schemas/lists';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { z } from 'zod';
import { deliveryStates } from '../store/delivery.entity.ts';
import { isoSql } from '../store/instants.ts';

export type OwnEvent = z.output<typeof listsContract.resentEvent>;
type PartnerState = OwnEvent['state'];

/** Stored states by the state that partners see. */
const storedStates: Readonly<Record<PartnerState, readonly string[]>> = {
  PENDING: ['PENDING'],
  DELIVERED: ['DELIVERED'],
  FAILED: ['EXHAUSTED', 'STOPPED'],
};
export const failedDeliveryStates = storedStates.FAILED;

const columns = `id as "eventId", request_id as "requestId", type, code, destination,
  case when state in ('EXHAUSTED', 'STOPPED') then 'FAILED' else state end as state, attempts,
  last_status as "lastStatus", last_error as "lastError", ${isoSql('due_at')} as "nextAttemptAt",
  ${isoSql('occurred_at')} as "createdDate", ${isoSql('delivered_at')} as "deliveredDate"`;

export interface EventIdRange {
  readonly partnerId: string;
  readonly states: readonly string[];
  /** Range of ids with an exclusive end: they are UUID v7 of the event, so that a time is a position among them. */
  readonly since: string;
  readonly below: string;
  readonly limit: number;
}

// Every query names the partner, so that another partner's event looks like none.
const isOwn = 'partner_id = :partnerId and id >= :since::uuid and id < :below::uuid';

/**
 * Selects the newest events of each state, each from a range of an index on that state, and merges them. Bounds of
 * complete index entries leave the planner no other index, such as that of all events by id for a frequent state.
 */
export const selectPartnerEvents = statement<EventIdRange, OwnEvent>({
  name: 'events-of-partner',
  sql: `
select ${columns} from unnest(:states::text[]) as s (of_state) cross join lateral (
  select * from delivery
  where (partner_id, state, id) >= (:partnerId::uuid, s.of_state, :since::uuid)
    and (partner_id, state, id) < (:partnerId::uuid, s.of_state, :below::uuid)
  order by partner_id desc, state desc, id desc limit :limit
) as found
order by found.id desc limit :limit`,
});

/** Selects the events of one request, which are few. */
export const selectRequestEvents = statement<EventIdRange & { readonly requestId: string }, OwnEvent>({
  name: 'events-of-request',
  sql: `select ${columns} from delivery
where request_id = :requestId and ${isOwn} and state = any(:states::text[]) order by id desc limit :limit`,
});

const byId = statement<{ readonly partnerId: string; readonly eventId: string }, OwnEvent>({
  name: 'event-of-partner',
  sql: `select ${columns} from delivery where id = :eventId and partner_id = :partnerId`,
});

/**
 * Finds an event of the partner.
 * @throws AppError REQUEST_NOT_FOUND, also for another partner's event
 */
export async function findOwnEvent(
  target: StatementTarget,
  own: { readonly partnerId: string; readonly eventId: string },
): Promise<OwnEvent> {
  const [event] = await byId.run(target, own);
  if (event !== undefined) return event;
  throw new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('request.eventNotFound') });
}

export function toStoredStates(state: PartnerState | undefined): readonly string[] {
  return state === undefined ? deliveryStates : storedStates[state];
}

/** Returns the lowest UUID v7 of an instant. */
export function lowestEventId(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
