import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { asService, procedure } from '../context.ts';
import { createPartnerSigning } from './partner-signing.ts';

export const partnerSigningProcedure = procedure
  .use(asService('notifier'))
  .input(intakeContract.partnerInput)
  .output(intakeContract.partnerSigning)
  .query(({ ctx, input }) => createPartnerSigning(ctx)(input));
