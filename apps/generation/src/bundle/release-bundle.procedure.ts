import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { asService, procedure } from '../context.ts';
import { releaseBundle } from './release-bundle.ts';

/** The notifier for a webhook; the gateway for a claim's download, a retrieval or an answer. Nobody else. */
export const releaseBundleProcedure = procedure
  .use(asService('notifier', 'gateway'))
  .input(generationContract.releaseBundleInput)
  .output(generationContract.releasedBundle)
  .query(({ ctx, input }) => releaseBundle(ctx, { ...input, recipient: ctx.caller.name }));
