import type { SweeperTask } from '@rubrica/database';

const batchRows = 500;

/**
 * Deletes bundles whose time is over: 24 h after the acknowledgement, 30 days after issuance (`purge_at`), unless the
 * request is under legal hold; the trace of the attempts goes with them. A delivery that is still being tried stops at its next attempt, with that reason.
 */
export const purgePayloads: SweeperTask = {
  name: 'purge-payloads',
  text: `
    update delivery set body = null, traceparent = null, purged_at = now() where id in (
      select id from delivery where purge_at <= now() and purged_at is null
        and not exists (select from retention as r where r.request_id = delivery.request_id and r.held)
      order by purge_at limit ${batchRows} for update skip locked
    ) returning 1`,
  batchRows,
};
