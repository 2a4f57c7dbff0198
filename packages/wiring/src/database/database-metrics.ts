import { type Database, readServerLoad } from '@rubrica/database/connection';
import { type Metrics, metric } from '@rubrica/process/metrics';

/** Exposes the use of this copy's pool. Waiting tasks are the first sign of a slow database or a small pool. */
export function exposeConnections(
  database: Pick<Database, 'connections'>,
  metrics: Pick<Metrics, 'gauge'>,
): void {
  metrics.gauge({
    ...metric('rubrica_database_connections'),
    collect(gauge) {
      const { inUse, idle, waiting } = database.connections();
      gauge.set({ state: 'in_use' }, inUse);
      gauge.set({ state: 'idle' }, idle);
      gauge.set({ state: 'waiting' }, waiting);
    },
  });
}

/** Exposes the load of all roles of the server: one of them can fill the table of locks or prevent vacuum. */
export function exposeServerLoad(database: Pick<Database, 'execute'>, metrics: Pick<Metrics, 'gauge'>): void {
  metrics.gauge({
    ...metric('rubrica_database_locks'),
    async collect(gauge) {
      const roles = await readServerLoad(database);
      gauge.clear();
      for (const { role, locks } of roles) gauge.set({ role }, locks);
    },
  });
  metrics.gauge({
    ...metric('rubrica_database_snapshot_age_transactions'),
    async collect(gauge) {
      const roles = await readServerLoad(database);
      gauge.clear();
      for (const { role, snapshotAge } of roles) gauge.set({ role }, snapshotAge);
    },
  });
}

/**
 * Exposes the age of the oldest due row of each queue, which its length does not show.
 *
 * @param queues by name of the queue, a SELECT of the time when its oldest row became due, as `at`
 */
export function exposeDueRows(
  database: Pick<Database, 'execute'>,
  { metrics, queues }: { metrics: Pick<Metrics, 'gauge'>; queues: Readonly<Record<string, string>> },
): void {
  metrics.gauge({
    ...metric('rubrica_due_oldest_seconds'),
    async collect(gauge) {
      gauge.clear();
      for (const [queue, select] of Object.entries(queues)) {
        const [row] = await database.execute<{ seconds: number | null }>(
          `select greatest(extract(epoch from now() - at), 0)::float8 as seconds from (${select}) as due`,
        );
        gauge.set({ queue }, row?.seconds ?? 0);
      }
    },
  });
}
