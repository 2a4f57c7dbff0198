import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { getDelivery } from './get-delivery.ts';

const { role, input, output } = operatorProcedures['deliveries.get'];

export const getDeliveryProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(({ ctx, input: { id } }) => getDelivery(ctx, id));
