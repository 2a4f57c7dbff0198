import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { readPage } from '../store/page.ts';
import { type DestinationRow, destinationColumns } from '../store/rows.ts';

const { role, input, output } = operatorProcedures['deliveries.destinations'];

/** Those that fail only: what works has no row. */
export const searchDestinationsProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(({ ctx, input: { cursor, limit, partnerId, state } }) =>
    readPage<DestinationRow>(ctx.database, {
      table: 'endpoint',
      columns: destinationColumns,
      filters: { partner_id: partnerId, state },
      cursor,
      limit,
    }),
  );
