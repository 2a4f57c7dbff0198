import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';

type Row = OperatorOutput<'deliveries.enableDestination'>;

/** Failing destination. The statement that records attempts writes it; this entity only reads it. */
export const DestinationEntity = defineEntity({
  name: 'Destination',
  tableName: 'endpoint',
  properties: {
    id: p.uuid().primary(),
    partnerId: p.uuid(),
    destination: p.text(),
    state: p.text().$type<Row['state']>(),
    failingSince: p.datetime(),
    lastFailedAt: p.datetime(),
    disabledAt: p.datetime().nullable(),
  },
});
export type DestinationEntity = InferEntity<typeof DestinationEntity>;

/** Converts a destination to its row for operators. */
export function toDestinationRow(row: DestinationEntity): Row {
  const { id, partnerId, destination, state } = row;
  return {
    id,
    partnerId,
    destination,
    state,
    failingSince: row.failingSince.toISOString(),
    lastFailedAt: row.lastFailedAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? null,
  };
}
