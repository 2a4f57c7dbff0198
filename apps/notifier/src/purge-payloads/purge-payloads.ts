import type { SweeperTask } from '@rubrica/database';

const batchRows = 500;

/**
 * Deletes bundles whose time is over: 24 h after the acknowledgement, 30 days after issuance (`purge_at`). One
 * that is still being tried stops by itself at its next attempt, which says so in the ledger.
 */
export const purgePayloads: SweeperTask = {
  name: 'purge-payloads',
  text: `
    update delivery set body = null, purged_at = now() where id in (
      select id from delivery where purge_at <= now() and purged_at is null
      order by purge_at limit ${batchRows} for update skip locked
    ) returning 1`,
  batchRows,
};
