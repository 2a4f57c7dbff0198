import { intakeContract, retrievalContract } from '@rubrica/contracts';
import { partnerProcedure } from '../context.ts';
import { createOpenRetrieval } from './open-retrieval.ts';

export const openRetrievalProcedure = partnerProcedure('status:read')
  .input(intakeContract.requestIdentifier)
  .output(retrievalContract.openRetrievalOutput)
  .mutation(({ ctx, input }) => {
    const { partnerId, clientId } = ctx.caller;
    return createOpenRetrieval(ctx)({ ...input, partnerId }, clientId);
  });
