import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { asService, procedure } from '../context.ts';
import { createAuthenticateOperator } from './authenticate-operator.ts';

export const authenticateOperatorProcedure = procedure
  .use(asService('gateway'))
  .input(intakeContract.authenticateOperatorInput)
  .output(intakeContract.operatorIdentity)
  .mutation(({ ctx, input }) => createAuthenticateOperator(ctx)(input));
