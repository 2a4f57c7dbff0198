import type { SweeperTask } from '@rubrica/database/sweeper';

const batchRows = 500;

/**
 * Deletes expired bundles: 24 h after the acknowledgement, 30 days after issuance (`purge_at`), except under legal
 * hold. The trace of the attempts is deleted with them. A delivery that is still retried stops at its next attempt,
 * with that reason.
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
