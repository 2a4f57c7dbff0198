import type * as auditContract from '@rubrica/contracts/operators/audit';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { type AuditLog, listAudit, type SqlRunner } from '@rubrica/database';
import { type BaseContext, createServiceTrpc, type StatementVerifier } from '@rubrica/process';
import { orUnavailable } from '../database/unavailable.ts';
import { verifyStretch } from './verify-stretch.ts';

/** What the context of a service with an audit log holds besides its own. */
export interface AuditContext extends BaseContext {
  readonly database: SqlRunner;
  readonly keyring: StatementVerifier;
}

/** The operators' procedures `audit.list` and `audit.verify` over one service's log: `audit: auditRouter(auditLog)`. */
export function auditRouter({ table, expressions }: AuditLog<auditContract.AuditService>) {
  const trpc = createServiceTrpc<AuditContext>();
  const procedure = trpc.procedure.use(async ({ next }) => orUnavailable(await next()));
  const { service } = table;
  const { 'audit.list': list, 'audit.verify': verify } = operatorProcedures;
  return trpc.router({
    list: procedure
      .use(trpc.asOperator(list.role))
      .input(list.input)
      .output(list.output)
      .query(async ({ ctx, input: { cursor, service: _, ...filters } }) => {
        const page = await listAudit(ctx.database, { table, expressions }, { ...filters, before: cursor });
        return { ...page, items: page.items.map((item) => ({ ...item, service })) };
      }),
    verify: procedure
      .use(trpc.asOperator(verify.role))
      .input(verify.input)
      .output(verify.output)
      .query(async ({ ctx, input }) => ({ ...(await verifyStretch({ ...ctx, table }, input)), service })),
  });
}
