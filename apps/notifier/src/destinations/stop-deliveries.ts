import { statement } from '@rubrica/database/statement';
import type { SweeperTask } from '@rubrica/database/sweeper';

const batchRows = 500;

/** Error shown on a delivery whose destination is disabled. */
export const destinationDisabledError =
  'the destination is disabled after days of failures; an operator can enable it';

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
 * Stops deliveries to disabled destinations, visibly. The fence is unchanged, so that an attempt in progress may still
 * be acknowledged.
 */
export const stopDeliveries: SweeperTask = {
  ...stop.bind({ disabledError: destinationDisabledError }),
  batchRows,
};
