import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { partnerProcedure } from '../context.ts';
import { toChanged } from '../request/changed-request.ts';
import { createCancelRequest } from './cancel-request.ts';

export const cancelRequestProcedure = partnerProcedure('manager:write')
  .input(intakeContract.cancelInput)
  .output(intakeContract.cancelOutput)
  .mutation(async ({ ctx, input }) => toChanged(await createCancelRequest(ctx)(input, ctx.caller.partnerId)));
