import * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { asService, procedure } from '../context.ts';
import { createOpenDownload } from './open-download.ts';

export const openDownloadProcedure = procedure
  .use(asService('gateway'))
  .input(claimsContract.openDownloadInput)
  .output(claimsContract.openDownloadOutput)
  .mutation(({ ctx, input }) => createOpenDownload(ctx)(input));
