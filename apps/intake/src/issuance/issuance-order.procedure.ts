import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { asService, procedure } from '../context.ts';
import { createIssuanceOrder } from './issuance-order.ts';

export const issuanceOrderProcedure = procedure
  .use(asService('generation'))
  .input(intakeContract.issuanceOrderInput)
  .output(intakeContract.issuanceOrder)
  .query(({ ctx, input }) => createIssuanceOrder(ctx)(input));
