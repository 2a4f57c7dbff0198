import type { Pool, PoolClient } from 'pg';

/** Whoever holds the client has seen its query fail by then and released it, if it was going to. */
const graceMs = 1_000;

/**
 * Takes a connection that died while checked out back from code that never gives it back. Kysely, under the ORM,
 * forgets to release it when a BEGIN, COMMIT or ROLLBACK fails (kysely-org/kysely#1990), so each transaction cut
 * off by a restart of PostgreSQL would cost the pool one place, until none is left.
 */
export function reclaimDeadClients(pool: Pool): void {
  const checkedOut = new Set<PoolClient>();
  pool.on('acquire', (client) => checkedOut.add(client));
  pool.on('release', (_error, client) => checkedOut.delete(client));
  pool.on('connect', (client) => {
    client.on('end', () => {
      const timer = setTimeout(() => {
        if (checkedOut.has(client)) client.release(true);
      }, graceMs);
      timer.unref();
    });
  });
}
