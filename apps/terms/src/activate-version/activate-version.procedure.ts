import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { changeBy } from '../audit/change.ts';
import { asOperator, procedure } from '../context.ts';
import { activateVersion } from './activate-version.ts';

const { role, input, output } = operatorProcedures['terms.activate'];

export const activateVersionProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .mutation(({ ctx, input: { id, reason } }) => activateVersion(ctx, id, changeBy(ctx.caller, reason)));
