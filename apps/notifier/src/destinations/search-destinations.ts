import type { Database } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import { readPage } from '../store/page.ts';
import { type DestinationRow, destinationColumns } from '../store/rows.ts';

/** One page, newest first. Destinations that work have no row, so only those that fail are listed. */
export function createSearchDestinations({
  database,
}: {
  readonly database: Pick<Database, 'execute'>;
}): OperatorUseCase<'deliveries.destinations'> {
  return ({ cursor, limit, partnerId, state }) =>
    readPage<DestinationRow>(database, {
      table: 'endpoint',
      columns: destinationColumns,
      filters: { partner_id: partnerId, state },
      cursor,
      limit,
    });
}
