import * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { asService, procedure } from '../context.ts';
import { holding } from './holding.ts';
import { purgeDelivered } from './purge-delivered.ts';
import { retainRequests } from './retain-requests.ts';

/** The notifier, once it has purged its own. */
export const purgeBundlesProcedure = procedure
  .use(asService('notifier'))
  .input(retentionContract.purgeBundlesInput)
  .output(retentionContract.retentionDone)
  .mutation(async ({ ctx, input }) => ({ changed: await purgeDelivered(ctx, input.requestIds) }));

/** Intake alone, which knows holds and erasures. */
export const retainBundlesProcedure = procedure
  .use(asService('intake'))
  .input(retentionContract.retainInput)
  .output(retentionContract.retentionDone)
  .mutation(async ({ ctx, input }) => ({ changed: await retainRequests(ctx, input.requests) }));

export const bundleHoldingProcedure = procedure
  .use(asService('intake'))
  .input(retentionContract.holdingInput)
  .output(retentionContract.holdingOutput)
  .query(({ ctx, input }) => holding(ctx, input.requestIds));
