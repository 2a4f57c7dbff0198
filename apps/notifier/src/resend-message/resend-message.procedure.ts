import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { resendMessage } from './resend-message.ts';

const { role, input, output } = operatorProcedures['messages.resend'];

export const resendMessageProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .mutation(({ ctx, input: { id, reason } }) =>
    resendMessage(ctx, { id, reason, actor: `operator:${ctx.caller.email}` }),
  );
