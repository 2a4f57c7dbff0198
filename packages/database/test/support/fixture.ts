import { acquireDatabases, type TestPostgres, type TestService } from '@rubrica/testkit';
import { createDatabase, type Database } from '../../src/connection/index.ts';
import { fenceInStepSql, namedLockSql } from '../../src/lock/named-lock-sql.ts';
import { type Migration, migrate } from '../../src/migrate/index.ts';
import { outboxSql } from '../../src/outbox/index.ts';
import { outboxMessageIdSql } from '../../src/outbox/outbox-sql.ts';
import { quiet } from './quiet.ts';

const baseMigration: Migration = {
  name: '20260101000000_base',
  sql: `${outboxSql}${outboxMessageIdSql}${namedLockSql}${fenceInStepSql}`,
};

export interface Fixture extends AsyncDisposable {
  readonly service: TestService;
  /** Opens a pool on the migrated schema, closed with the fixture. */
  open(options?: { poolSize?: number }): Database;
}

/** A database of its own with one migrated service, `intake`; on a server of its own where the test kills it. */
export async function fixture(options: { sql?: string; postgres?: TestPostgres } = {}): Promise<Fixture> {
  await using owned = new AsyncDisposableStack();
  const databases = options.postgres ?? owned.use(await acquireDatabases());
  const service = await databases.service('intake');
  const extra = options.sql ? [{ name: '20260102000000_test', sql: options.sql }] : [];
  await migrate({
    ownerUrl: service.ownerUrl,
    schema: service.schema,
    appRole: service.appRole,
    migrations: [baseMigration, ...extra],
    logger: quiet,
  });
  const held = owned.move();
  return {
    service,
    open({ poolSize = 4 } = {}) {
      const database = createDatabase({
        url: service.appUrl,
        schema: service.schema,
        entities: [],
        logger: quiet,
        poolSize,
      });
      return held.use(database);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Asks again until the answer is what is waited for. */
export async function until<T>(
  ask: () => T | Promise<T>,
  isDone: (value: T) => boolean,
  withinMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (isDone(value)) return value;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(value)} after ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
