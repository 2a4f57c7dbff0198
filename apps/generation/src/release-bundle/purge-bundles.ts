import type { SweeperTask } from '@rubrica/database';

const batchRows = 500;

/** Destroys files and passwords whose retention has ended; that there was a bundle stays known. */
export const purgeBundles: SweeperTask = {
  name: 'purge-bundles',
  batchRows,
  text: `
    update bundle set sealed = null, purged_at = now() where certificate_id in (
      select certificate_id from bundle where purged_at is null and purge_at <= now()
      order by purge_at limit ${batchRows} for update skip locked
    ) returning 1`,
};
