import type { AuditService } from '@rubrica/contracts/operators/audit';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import type { Database } from '@rubrica/database/connection';
import type { CheckpointVerifier } from '@rubrica/process/keyring';
import type { AuditLog } from '../log/audit-table.ts';
import { listAudit } from './list-audit.ts';
import { verifyRange } from './verify-range.ts';

export interface AuditDeps {
  readonly database: Pick<Database, 'execute' | 'entries'>;
  readonly keyring: CheckpointVerifier;
}

/** Creates the use cases `audit.list` and `audit.verify` over one service's log. */
export function createAuditUseCases(
  { table, expressions }: AuditLog<AuditService>,
  { database, keyring }: AuditDeps,
) {
  const { service } = table;
  const list = async ({ cursor, service: _, ...filters }: OperatorInput<'audit.list'>) => {
    const page = await listAudit(database, { table, expressions }, { ...filters, before: cursor });
    return { ...page, items: page.items.map((item) => ({ ...item, service })) };
  };
  const verify = async (input: OperatorInput<'audit.verify'>) => ({
    ...(await verifyRange({ database, keyring, table }, input)),
    service,
  });
  return { 'audit.list': list, 'audit.verify': verify };
}
