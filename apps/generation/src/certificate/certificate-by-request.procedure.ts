import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { asService, procedure } from '../context.ts';
import { certificateByRequest } from './certificate-by-request.ts';

export const certificateByRequestProcedure = procedure
  .use(asService('intake'))
  .input(generationContract.certificateByRequestInput)
  .output(generationContract.certificateState)
  .query(({ ctx, input }) => certificateByRequest(ctx, input.requestId));
