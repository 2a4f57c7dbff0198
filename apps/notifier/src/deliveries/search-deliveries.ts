import { type Database, readPage } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import { DeliveryEntity, toDeliveryRow } from '../store/delivery.entity.ts';
import { byId } from '../store/schema.ts';

/** One page, newest first. */
export function createSearchDeliveries({
  database,
}: {
  readonly database: Pick<Database, 'fork'>;
}): OperatorUseCase<'deliveries.search'> {
  return ({ cursor, limit, ...filters }) =>
    readPage(database.fork(), [DeliveryEntity, toDeliveryRow], { keyset: byId, filters, cursor, limit });
}
