import type { SweeperTask } from './sweeper.ts';

const batchRows = 2_000;

/**
 * Creates the task that removes published outbox rows after 14 days; until then they can rebuild JetStream. It examines
 * only the oldest published rows by id, so a run without work costs a short walk along the primary key, and the table
 * needs no further index.
 */
export function purgeOutbox(keepDays = 14): SweeperTask {
  return {
    name: 'purge-outbox',
    text: `
      delete from outbox where id in (
        select id from (
          select id, published_at from outbox where published_at is not null order by id limit ${batchRows}
        ) as oldest
        where published_at < now() - make_interval(days => $1)
      ) returning 1`,
    params: [keepDays],
    batchRows,
  };
}
