import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { readPage } from '../store/page.ts';
import { type MessageRow, messageColumns } from '../store/rows.ts';

const { role, input, output } = operatorProcedures['messages.search'];

export const searchApplicantMessagesProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(({ ctx, input: { cursor, limit, state, requestId } }) =>
    readPage<MessageRow>(ctx.database, {
      table: 'message',
      columns: messageColumns,
      filters: { state, request_id: requestId },
      cursor,
      limit,
    }),
  );
