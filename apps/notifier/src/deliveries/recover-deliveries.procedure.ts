import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { recoverDeliveries } from './recover-deliveries.ts';

const { role, input, output } = operatorProcedures['deliveries.recover'];

export const recoverDeliveriesProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .mutation(({ ctx, input: range }) =>
    recoverDeliveries(ctx, { ...range, actor: `operator:${ctx.caller.email}` }),
  );
