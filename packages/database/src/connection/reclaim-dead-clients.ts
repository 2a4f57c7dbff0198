import type { Pool, PoolClient } from 'pg';

/** Time for the user of the client to notice its failed query and release it. */
const graceMs = 1_000;

/**
 * Reclaims a connection that died while checked out if its user never releases it. Kysely, under the ORM, does not
 * release it when a BEGIN, COMMIT or ROLLBACK fails (kysely-org/kysely#1990). Each transaction cut off by a restart of
 * PostgreSQL would cost the pool one slot, until none is left.
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
