import type { AuditService } from '@rubrica/contracts/operators/audit';
import { type AuditLog, type Database, listAudit } from '@rubrica/database';
import type { CheckpointVerifier } from '@rubrica/process';
import type { OperatorUseCase } from '../calls/handlers.ts';
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
  const list: OperatorUseCase<'audit.list'> = async ({ cursor, service: _, ...filters }) => {
    const page = await listAudit(database, { table, expressions }, { ...filters, before: cursor });
    return { ...page, items: page.items.map((item) => ({ ...item, service })) };
  };
  const verify: OperatorUseCase<'audit.verify'> = async (input) => ({
    ...(await verifyRange({ database, keyring, table }, input)),
    service,
  });
  return { 'audit.list': list, 'audit.verify': verify };
}
