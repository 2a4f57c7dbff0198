import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type SqlRunner } from '@rubrica/database';
import { type Migration, readMigrations } from '@rubrica/database/migrate';
import { createLogger, databaseSettings, loadConfig, logSettings } from '@rubrica/process';
import { z } from 'zod';

/** The running service's own access: nothing of the owner. */
const settings = z.object({ log: logSettings, database: databaseSettings });

export interface AwaitedSchema {
  readonly schema: string;
  /** The service's `migrations/`. */
  readonly folder: URL;
  /** Those that come from packages. */
  readonly base: readonly Migration[];
}

const pauseMs = 1_000;
const tellEveryMs = 5_000;

/**
 * The process that a copy runs before its service: ends when the schema has every migration of this release, so when the
 * provisioning step of this release, or of a later one, has been there. Reads DATABASE_URL; waits without end, and says
 * every five seconds what for.
 */
export async function awaitProvisionedProgram({ schema, folder, base }: AwaitedSchema): Promise<void> {
  const { log, database } = loadConfig(settings, process.env);
  const logger = createLogger({ service: `${schema}-await-provisioned`, ...log });
  const names = [...base, ...(await readMigrations(folder))].map(({ name }) => name);
  await using sql = createDatabase({
    ...database,
    schema,
    entities: [],
    logger: createLogger({ service: schema, level: 'silent', format: 'json' }),
    poolSize: 1,
  });
  for (let toldAt = -tellEveryMs; ; ) {
    const reason = await whatIsMissing(sql, { schema, names });
    if (reason === undefined) break;
    if (performance.now() - toldAt >= tellEveryMs) {
      toldAt = performance.now();
      logger.warn({ reason }, 'waiting for the provisioning of this release');
    }
    await delay(pauseMs);
  }
  logger.info({ schema }, 'the schema is that of this release');
}

/** Undefined when nothing is. Whatever fails is a reason too: before its first provisioning there is no schema. */
async function whatIsMissing(
  sql: SqlRunner,
  { schema, names }: { schema: string; names: readonly string[] },
): Promise<string | undefined> {
  try {
    const rows = await sql.execute<{ name: string }>(`select name from ${schema}.migrations`);
    const applied = new Set(rows.map(({ name }) => name));
    const missing = names.filter((name) => !applied.has(name));
    return missing.length === 0 ? undefined : `migrations have not run: ${missing.join(', ')}`;
  } catch (error) {
    return (error as Error).message;
  }
}
