import { type AuditTable, createChainer, createChainerMetrics, type Database } from '@rubrica/database';
import type { Clock, Keyring, ServiceParts } from '@rubrica/process';

export interface AuditChainOptions {
  readonly database: Pick<Database, 'schema' | 'directUrl'>;
  readonly table: AuditTable;
  readonly keyring: Pick<Keyring, 'signCheckpoint' | 'verifyCheckpoint'>;
  readonly clock: Clock;
}

/** Gives the service's audit rows their places in the chain, in one copy of all, for as long as it lives. */
export function startAuditChain(
  { database, ...options }: AuditChainOptions,
  { logger, metrics, health, runner }: Pick<ServiceParts, 'logger' | 'metrics' | 'health' | 'runner'>,
): void {
  const chainer = createChainer({
    ...options,
    databaseUrl: database.directUrl,
    keys: options.keyring,
    schema: database.schema,
    logger,
    metrics: createChainerMetrics(metrics),
  });
  runner.own('audit chain', chainer.stop);
  chainer.start();
  const missing = 'no copy gives audit rows their places';
  health.addWarning('audit chain', () => (chainer.hasOwner() ? undefined : missing));
}
