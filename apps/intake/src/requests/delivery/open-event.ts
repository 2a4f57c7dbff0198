import * as eventsContract from '@rubrica/contracts/services/schemas/events';

/** The first attempt is made with what came with the event. */
export const mostFurtherAttempts = eventsContract.mostAttempts - 1;

/** SQL: an event that is still to be delivered. @param at SQL expression of a moment, never input */
export function isOpenSql(at: string): string {
  return `(event.ended_at is null
    and coalesce(event.reopened_at, event.occurred_at) > ${at} - interval '${eventsContract.eventOpenHours} hours')`;
}
