import * as eventsContract from '@rubrica/contracts/services/schemas/events';

/** Maximum number of attempts after the first, which uses the secrets that came with the event. */
export const maxFurtherAttempts = eventsContract.maxEventAttempts - 1;

/**
 * Returns SQL that is true for an event still to be delivered.
 * @param at SQL expression of a time, never input
 */
export function isOpenSql(at: string): string {
  return `(event.ended_at is null
    and coalesce(event.reopened_at, event.occurred_at) > ${at} - interval '${eventsContract.eventOpenHours} hours')`;
}
