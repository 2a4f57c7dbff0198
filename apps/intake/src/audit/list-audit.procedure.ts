import { operatorProcedures } from '@rubrica/contracts';
import { listAudit } from '@rubrica/database';
import { asOperator, procedure } from '../context.ts';
import { auditTable } from './audit-table.ts';

const { role, input, output } = operatorProcedures['audit.list'];

const expressions = {
  target: `target`,
  requestId: `case when target like 'request:%' then substr(target, 9)::uuid end`,
  reason: `reason`,
  details: 'details',
} as const;

export const listAuditProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(async ({ ctx, input: { cursor, service: _, ...filters } }) => {
    const page = await listAudit(
      ctx.database,
      { table: auditTable, expressions },
      { ...filters, before: cursor },
    );
    return { ...page, items: page.items.map((item) => ({ ...item, service: 'intake' as const })) };
  });
