import type { Database } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import { readPage } from '../store/page.ts';
import { type DeliveryRow, deliveryColumns } from '../store/rows.ts';

/** One page, newest first. */
export function createSearchDeliveries({
  database,
}: {
  readonly database: Pick<Database, 'execute'>;
}): OperatorUseCase<'deliveries.search'> {
  return ({ cursor, limit, state, partnerId, requestId }) =>
    readPage<DeliveryRow>(database, {
      table: 'delivery',
      columns: deliveryColumns,
      filters: { state, partner_id: partnerId, request_id: requestId },
      cursor,
      limit,
    });
}
