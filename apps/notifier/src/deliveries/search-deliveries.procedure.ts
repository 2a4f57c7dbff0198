import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { readPage } from '../store/page.ts';
import { type DeliveryRow, deliveryColumns } from '../store/rows.ts';

const { role, input, output } = operatorProcedures['deliveries.search'];

export const searchDeliveriesProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(({ ctx, input: { cursor, limit, state, partnerId, requestId } }) =>
    readPage<DeliveryRow>(ctx.database, {
      table: 'delivery',
      columns: deliveryColumns,
      filters: { state, partner_id: partnerId, request_id: requestId },
      cursor,
      limit,
    }),
  );
