import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { asService, procedure } from '../context.ts';
import { createPartnerContact } from './partner-contact.ts';

export const partnerContactProcedure = procedure
  .use(asService('notifier'))
  .input(intakeContract.partnerInput)
  .output(intakeContract.partnerContact)
  .query(({ ctx, input }) => createPartnerContact(ctx)(input));
