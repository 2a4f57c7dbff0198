import * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { asService, procedure } from '../context.ts';
import { createClaimRequest } from './claim-request.ts';

export const claimRequestProcedure = procedure
  .use(asService('gateway'))
  .input(claimsContract.claimInput)
  .output(claimsContract.claimView)
  .mutation(({ ctx, input }) => createClaimRequest(ctx)(input));
