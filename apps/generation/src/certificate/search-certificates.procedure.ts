import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { searchCertificates } from './search-certificates.ts';

const { role, input, output } = operatorProcedures['certificates.search'];

export const searchCertificatesProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(({ ctx, input: page }) => searchCertificates(ctx, page));
