import * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { asService, procedure } from '../context.ts';
import { createSendClaimCode } from './send-claim-code.ts';

export const sendClaimCodeProcedure = procedure
  .use(asService('gateway'))
  .input(claimsContract.sendCodeInput)
  .output(claimsContract.sendCodeOutput)
  .mutation(({ ctx, input }) => createSendClaimCode(ctx)(input));
