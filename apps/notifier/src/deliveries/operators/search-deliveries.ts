import type { Database } from '@rubrica/database/connection';
import { readPage } from '@rubrica/database/keyset';
import { statement } from '@rubrica/database/statement';
import type { OperatorUseCase } from '@rubrica/wiring';
import { DeliveryEntity, deliveryStates, toDeliveryRow } from '../../store/delivery.entity.ts';
import { findById } from '../../store/schema.ts';

/**
 * Selects the ids of a partner's newest deliveries below an id: the newest of each requested state, each from a range
 * of an index on that state, merged.
 */
const findOfPartner = statement<
  {
    readonly partnerId: string;
    readonly states: readonly string[];
    readonly below: string;
    readonly limit: number;
  },
  { readonly id: string }
>({
  name: 'deliveries-of-partner',
  sql: `
select found.id from unnest(:states::text[]) as s (state) cross join lateral (
  select id from delivery where partner_id = :partnerId and delivery.state = s.state and id < :below::uuid
  order by id desc limit :limit
) as found
order by found.id desc limit :limit`,
});

const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns one page, newest first. */
export function createSearchDeliveries({
  database,
}: {
  readonly database: Pick<Database, 'fork' | 'statement'>;
}): OperatorUseCase<'deliveries.search'> {
  return async ({ cursor, limit, ...filters }) => {
    const { partnerId, requestId, state } = filters;
    // One request has few deliveries, whatever the other filters.
    if (partnerId === undefined || requestId !== undefined)
      return readPage(database.fork(), [DeliveryEntity, toDeliveryRow], {
        keyset: findById,
        filters,
        cursor,
        limit,
      });
    const below = cursor === undefined ? highestId : findById.readCursor(cursor).id;
    const states = state === undefined ? deliveryStates : [state];
    const found = await findOfPartner.run(database, { partnerId, states, below, limit: limit + 1 });
    const ids = found.map(({ id }) => id);
    const rows = await database
      .fork()
      .find(DeliveryEntity, { id: { $in: ids } }, { orderBy: findById.orderBy });
    return findById.page(rows, limit, toDeliveryRow);
  };
}
