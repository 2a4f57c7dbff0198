import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { resendApplicantMessage } from './resend-applicant-message.ts';

const { role, input, output } = operatorProcedures['messages.resend'];

export const resendApplicantMessageProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .mutation(({ ctx, input: { id, reason } }) =>
    resendApplicantMessage(ctx, { id, reason, actor: `operator:${ctx.caller.email}` }),
  );
