import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { enableDestination } from './enable-destination.ts';

const { role, input, output } = operatorProcedures['deliveries.enableDestination'];

export const enableDestinationProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .mutation(({ ctx, input: change }) =>
    enableDestination(ctx, { ...change, actor: `operator:${ctx.caller.email}` }),
  );
