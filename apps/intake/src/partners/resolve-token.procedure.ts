import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { asService, procedure } from '../context.ts';
import { createResolveToken } from './authenticate.ts';

export const resolveTokenProcedure = procedure
  .use(asService('gateway'))
  .input(intakeContract.resolveTokenInput)
  .output(intakeContract.partnerIdentity)
  .query(({ ctx, input }) => createResolveToken(ctx)(input));
