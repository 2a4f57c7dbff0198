import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, procedure } from '../context.ts';
import { getCertificate } from './get-certificate.ts';

const { role, input, output } = operatorProcedures['certificates.get'];

export const getCertificateProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(({ ctx, input: name }) => getCertificate(ctx, name));
