import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { z } from 'zod';
import { asAnyone, procedure } from '../context.ts';
import { pkiFile, pkiIndex } from './pki-file.ts';

// Public: whoever checks a signature fetches these.

export const pkiFileProcedure = procedure
  .use(asAnyone())
  .input(generationContract.pkiFileInput)
  .output(generationContract.pkiFile)
  .query(({ ctx, input }) => pkiFile(ctx, input.file));

export const pkiIndexProcedure = procedure
  .use(asAnyone())
  .input(z.object({}).optional())
  .output(generationContract.pkiIndex)
  .query(({ ctx }) => pkiIndex(ctx.issuers));
