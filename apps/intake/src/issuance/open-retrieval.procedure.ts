import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';
import { partnerProcedure } from '../context.ts';
import { createOpenRetrieval } from './open-retrieval.ts';

export const openRetrievalProcedure = partnerProcedure('status:read')
  .input(intakeContract.requestIdentifier)
  .output(retrievalContract.openRetrievalOutput)
  .mutation(({ ctx, input }) => {
    const { partnerId, clientId } = ctx.caller;
    return createOpenRetrieval(ctx)({ ...input, partnerId }, clientId);
  });
