import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { listTerms } from './list-terms.ts';

const { role, input, output } = operatorProcedures['terms.list'];

export const listTermsProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(({ ctx, input: page }) => listTerms(ctx, page));
