import * as termsContract from '@rubrica/contracts/services/schemas/terms';
import { termsRecordSchema } from '@rubrica/contracts/shared/terms';
import { asAnyone, procedure } from '../context.ts';
import { activeTerms } from './active-terms.ts';

/** Terms are public: shown before anybody has signed in. */
export const activeTermsProcedure = procedure
  .use(asAnyone())
  .input(termsContract.activeTermsInput)
  .output(termsRecordSchema)
  .query(({ ctx, input }) => activeTerms(ctx, input.type));
