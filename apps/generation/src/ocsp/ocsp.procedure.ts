import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { asAnyone, procedure } from '../context.ts';

/** Public: whoever checks a signature asks. */
export const ocspProcedure = procedure
  .use(asAnyone())
  .input(generationContract.ocspInput)
  .output(generationContract.ocspAnswer)
  .query(({ ctx, input }) => ctx.answerOcsp(Buffer.from(input.request, 'base64')));
