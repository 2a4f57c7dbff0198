import { type Database, readServerLoad } from '@rubrica/database';
import { type Metrics, metric } from '@rubrica/process';

/** How full this copy's pool is. Whoever waits is the first sign of a database that is too slow or a pool too small. */
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

/** Load of all roles of the server: one of them can fill the table of locks or keep rows from being vacuumed. */
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
 * How long the oldest row of each queue is due: what a queue's length does not say.
 *
 * @param queues per name of a queue one SELECT of the time since when its oldest row is due, as `at`
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
