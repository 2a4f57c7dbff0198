import { verifyStretch } from '@rubrica/app/database';
import { operatorProcedures } from '@rubrica/contracts';
import { asOperator, procedure } from '../context.ts';
import { auditTable } from './audit-table.ts';

const { role, input, output } = operatorProcedures['audit.verify'];

export const verifyAuditProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(async ({ ctx, input: stretch }) => ({
    ...(await verifyStretch({ ...ctx, table: auditTable }, stretch)),
    service: 'generation' as const,
  }));
