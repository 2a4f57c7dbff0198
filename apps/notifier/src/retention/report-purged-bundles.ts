import type { Database } from '@rubrica/database/connection';
import { statement, toColumns } from '@rubrica/database/statement';
import type { Peers } from '@rubrica/wiring';

const batchRows = 200;

const findUnreported = statement<object, { id: string }>({
  name: 'find-untold-deliveries',
  sql: `
select id from delivery
where has_bundle and purged_at is not null and generation_told_at is null
order by purged_at limit ${batchRows}`,
});

const markReported = statement<{ id: readonly string[] }>({
  name: 'mark-told-deliveries',
  sql: 'update delivery set generation_told_at = now() where id = any(:id::uuid[])',
});

export interface ReportPurgedDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly intake: Pick<Peers<'notifier'>['intake'], 'events.end'>;
  readonly generation: Pick<Peers<'notifier'>['generation'], 'bundles.purge'>;
}

/**
 * Reports ended events to intake, and purged bundles to generation with intake's grant, so that it destroys its own
 * copies. Copies of this service are destroyed first and on time, even while generation is unavailable. After a crash
 * or an unanswered call the rows are still unmarked, and the call is repeated. Several copies may do so at once: the
 * call is idempotent.
 * @returns number of deliveries that generation confirmed
 * @throws AppError where one of them does not answer
 */
export async function reportPurgedBundles({
  database,
  intake,
  generation,
}: ReportPurgedDeps): Promise<number> {
  for (let confirmed = 0; ; ) {
    const rows = await findUnreported.run(database, {});
    if (rows.length === 0) return confirmed;
    const { grant } = await intake['events.end']({ eventIds: rows.map(({ id }) => id) });
    if (grant !== null) await generation['bundles.purge']({ grant });
    await markReported.run(database, toColumns(rows, ['id']));
    confirmed += rows.length;
    if (rows.length < batchRows) return confirmed;
  }
}
