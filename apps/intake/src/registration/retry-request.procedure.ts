import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { partnerProcedure } from '../context.ts';
import { maximumRetries } from '../request/state-machine.ts';
import { createRetryRequest } from './retry-request.ts';

export const retryRequestProcedure = partnerProcedure('manager:write')
  .input(intakeContract.retryInput)
  .output(intakeContract.retryOutput)
  .mutation(async ({ ctx, input }) => {
    const request = await createRetryRequest(ctx)(input, ctx.caller.partnerId);
    return {
      requestId: request.id,
      referenceTransaction: request.referenceTransaction,
      status: request.status,
      validationStatus: request.validationStatus,
      retryCount: request.retryCount,
      retriesRemaining: maximumRetries - request.retryCount,
      updatedAt: request.updatedAt.toISOString(),
    };
  });
