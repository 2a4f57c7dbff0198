import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { pingDestination } from './ping-destination.ts';

const { role, input, output } = operatorProcedures['deliveries.ping'];

export const pingDestinationProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .mutation(({ ctx, input: ping }) =>
    pingDestination(ctx, { ...ping, actor: `operator:${ctx.caller.email}` }),
  );
