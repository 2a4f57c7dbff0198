import type { SweeperTask } from '@rubrica/database/sweeper';

const batchRows = 500;

/** Destroys expired files and passwords; the row of the bundle remains. A legal hold prevents it. */
export const purgeBundles: SweeperTask = {
  name: 'purge-bundles',
  batchRows,
  text: `
    update bundle set sealed = null, purged_at = now() where certificate_id in (
      select b.certificate_id from bundle as b join certificate as c on c.id = b.certificate_id
      where b.purged_at is null and b.purge_at <= now()
        and not exists (select from retention as r where r.request_id = c.request_id and r.held)
      order by b.purge_at limit ${batchRows} for update of b skip locked
    ) returning 1`,
};
