import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { changeBy } from '../audit/change.ts';
import { asOperator, procedure } from '../context.ts';
import { createVersion } from './create-version.ts';

const { role, input, output } = operatorProcedures['terms.createVersion'];

export const createVersionProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .mutation(({ ctx, input: { reason, ...draft } }) =>
    createVersion(ctx, draft, changeBy(ctx.caller, reason)),
  );
