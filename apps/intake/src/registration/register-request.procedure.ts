import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { partnerProcedure } from '../context.ts';
import { createRegisterRequest } from './register-request.ts';

export const registerRequestProcedure = partnerProcedure('collector:write')
  .input(intakeContract.registerInput)
  .output(intakeContract.registerOutput)
  .mutation(({ ctx, input }) => createRegisterRequest(ctx)(input, ctx.caller.partnerId));
