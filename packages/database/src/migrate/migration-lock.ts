import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseLogger } from '../logger.ts';

export interface MigrationLock {
  /** Rejects when the connection that holds the lock is gone. */
  assertHeld(): Promise<void>;
}

/**
 * Takes the schema's migration lock for as long as the connection lives. Asks repeatedly instead of waiting
 * inside PostgreSQL: a waiting statement holds a snapshot, which would block `create index concurrently`.
 */
export async function takeMigrationLock(
  client: pg.Client,
  options: { schema: string; logger: DatabaseLogger; waitMs?: number },
): Promise<MigrationLock> {
  const name = `rubrica migrate ${options.schema}`;
  const deadline = performance.now() + (options.waitMs ?? 300_000);
  let told = false;
  while (!(await tryLock(client, name))) {
    if (performance.now() > deadline) {
      throw new Error(`another process has been migrating schema ${options.schema} for too long`);
    }
    if (!told) options.logger.info({ schema: options.schema }, 'waiting for another migration to end');
    told = true;
    await delay(100);
  }
  return {
    async assertHeld() {
      await client.query('select 1');
    },
  };
}

async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as held', [name]);
  return rows[0].held === true;
}
