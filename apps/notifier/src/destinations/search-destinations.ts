import type { Database } from '@rubrica/database/connection';
import { readPage } from '@rubrica/database/keyset';
import type { OperatorUseCase } from '@rubrica/wiring';
import { DestinationEntity, toDestinationRow } from '../store/destination.entity.ts';
import { findById } from '../store/schema.ts';

/** Returns one page, newest first. Working destinations have no row, so only failing ones are listed. */
export function createSearchDestinations({
  database,
}: {
  readonly database: Pick<Database, 'fork'>;
}): OperatorUseCase<'deliveries.destinations'> {
  return ({ cursor, limit, ...filters }) =>
    readPage(database.fork(), [DestinationEntity, toDestinationRow], {
      keyset: findById,
      filters,
      cursor,
      limit,
    });
}
