import { intakeContract } from '@rubrica/contracts';
import { asPartner, procedure } from '../context.ts';
import { toChanged } from '../request/changed-request.ts';
import { createCancelRequest } from './cancel-request.ts';

export const cancelRequestProcedure = procedure
  .use(asPartner('manager:write'))
  .input(intakeContract.cancelInput)
  .output(intakeContract.cancelOutput)
  .mutation(async ({ ctx, input }) => toChanged(await createCancelRequest(ctx)(input, ctx.caller.partnerId)));
