import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { tryPreviousLock } from '../lock/previous-release.ts';
import type { DatabaseLogger } from '../logger.ts';

export interface MigrationLock {
  /** Rejects if the connection that holds the lock is lost. */
  assertHeld(): Promise<void>;
}

/**
 * Takes the schema's migration lock until the transaction that it begins on `client` ends: a lock of a table on which
 * only the owner has rights. It asks repeatedly instead of waiting inside PostgreSQL: a waiting statement holds a
 * snapshot, which would block `create index concurrently`. A transaction between two statements holds none.
 */
export async function takeMigrationLock(
  client: pg.Client,
  options: { schema: string; logger: DatabaseLogger; waitMs?: number },
): Promise<MigrationLock> {
  const deadline = performance.now() + (options.waitMs ?? 300_000);
  let isLogged = false;
  while (!(await tryLock(client, options.schema))) {
    if (performance.now() > deadline) {
      throw new Error(`another process has been migrating schema ${options.schema} for too long`);
    }
    if (!isLogged) options.logger.info({ schema: options.schema }, 'waiting for another migration to end');
    isLogged = true;
    await delay(100);
  }
  return {
    async assertHeld() {
      await client.query('select 1');
    },
  };
}

/** `lock_not_available`: another process is migrating. */
const isTaken = '55P03';

async function tryLock(client: pg.Client, schema: string): Promise<boolean> {
  const execute = async <Row>(text: string, params: readonly unknown[]) =>
    (await client.query(text, [...params])).rows as Row[];
  await client.query('begin');
  try {
    // The lock conflicts with itself and allows reading and writing of rows.
    await client.query('lock table migration_checksums in share update exclusive mode nowait');
    if (await tryPreviousLock(execute, `rubrica migrate ${schema}`, 'transaction')) return true;
  } catch (error) {
    if ((error as { code?: string }).code !== isTaken) throw error;
  }
  await client.query('rollback');
  return false;
}
