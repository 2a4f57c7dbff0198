import { intakeContract } from '@rubrica/contracts';
import { asPartner, procedure } from '../context.ts';
import { createRegisterRequest } from './register-request.ts';

export const registerRequestProcedure = procedure
  .use(asPartner('collector:write'))
  .input(intakeContract.registerInput)
  .output(intakeContract.registerOutput)
  .mutation(({ ctx, input }) => createRegisterRequest(ctx)(input, ctx.caller.partnerId));
