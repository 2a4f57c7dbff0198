import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { asService, procedure } from '../context.ts';
import { createAuthenticateClient } from './authenticate.ts';

export const authenticateClientProcedure = procedure
  .use(asService('gateway'))
  .input(intakeContract.authenticateClientInput)
  .output(intakeContract.partnerIdentity)
  .query(({ ctx, input }) => createAuthenticateClient(ctx)(input));
