import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Keyring } from '@rubrica/process/keyring';
import type { ServiceParts } from '@rubrica/process/runner';
import type { Clock } from '@rubrica/process/time';
import type { AuditTable } from '../log/audit-table.ts';
import { createChainer } from './chainer.ts';
import { createChainerMetrics } from './chainer-metrics.ts';

export interface AuditChainOptions {
  readonly database: Pick<Database, 'schema' | 'directUrl' | 'entries'>;
  readonly table: AuditTable;
  readonly keyring: Pick<Keyring, 'signCheckpoint' | 'verifyCheckpoint'>;
  readonly clock: Clock;
  /** Raises the alarm for entries and checkpoints that the service did not write. */
  readonly rows: Pick<RowGuard, 'reportFailed'>;
}

/** Starts the chainer of the service's audit log, which runs in one of all copies, for the life of the process. */
export function startAuditChain(
  { database, rows, ...options }: AuditChainOptions,
  { logger, metrics, health, runner }: Pick<ServiceParts, 'logger' | 'metrics' | 'health' | 'runner'>,
): void {
  const chainer = createChainer({
    ...options,
    databaseUrl: database.directUrl,
    keys: options.keyring,
    entries: database.entries,
    onNotAuthentic: rows.reportFailed,
    schema: database.schema,
    logger,
    metrics: createChainerMetrics(metrics),
  });
  runner.own('audit chain', chainer.stop);
  chainer.start();
  const missing = 'no copy gives audit rows their places';
  health.addWarning('audit chain', () => (chainer.hasOwner() ? undefined : missing));
}
