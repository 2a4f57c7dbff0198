import * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { asService, procedure } from '../context.ts';
import { holding } from './holding.ts';
import { retainRequests } from './retain-requests.ts';

/** Intake alone, which knows holds and erasures. */
export const retainDeliveriesProcedure = procedure
  .use(asService('intake'))
  .input(retentionContract.retainInput)
  .output(retentionContract.retentionDone)
  .mutation(async ({ ctx, input }) => ({ changed: await retainRequests(ctx, input.requests) }));

export const deliveryHoldingProcedure = procedure
  .use(asService('intake'))
  .input(retentionContract.holdingInput)
  .output(retentionContract.holdingOutput)
  .query(({ ctx, input }) => holding(ctx, input.requestIds));
