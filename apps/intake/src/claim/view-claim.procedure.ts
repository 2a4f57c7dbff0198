import * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { asService, procedure } from '../context.ts';
import { createViewClaim } from './view-claim.ts';

export const viewClaimProcedure = procedure
  .use(asService('gateway'))
  .input(claimsContract.claimViewInput)
  .output(claimsContract.claimView)
  .query(({ ctx, input }) => createViewClaim(ctx)(input));
