import { type SweeperTask, statement } from '@rubrica/database';

const batchRows = 500;

/** What a delivery shows that waits for a destination to be enabled again. */
export const disabledError = 'the destination is disabled after days of failures; an operator can enable it';

const stop = statement<{ disabledError: string }>({
  name: 'stop-deliveries',
  sql: `
    update delivery set state = 'STOPPED', due_at = null, last_error = :disabledError where id in (
      select d.id from endpoint n
      join delivery d on d.partner_id = n.partner_id and d.destination = n.destination and d.state = 'PENDING'
      where n.state = 'DISABLED'
      limit ${batchRows} for update of d skip locked
    ) returning 1`,
});

/**
 * What waits for a destination that has been disabled is stopped, visibly. The fence stays, so that an attempt
 * under way may still be the one that is acknowledged.
 */
export const stopDeliveries: SweeperTask = { ...stop.bind({ disabledError }), batchRows };
