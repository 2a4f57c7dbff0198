import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { resendDelivery } from './resend-delivery.ts';

const { role, input, output } = operatorProcedures['deliveries.resend'];

export const resendDeliveryProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .mutation(({ ctx, input: { id, reason } }) =>
    resendDelivery(ctx, { id, reason, actor: `operator:${ctx.caller.email}` }),
  );
