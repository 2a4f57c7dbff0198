import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type SqlRunner } from '@rubrica/database';
import { createLogger, databaseSettings, loadConfig, logSettings } from '@rubrica/process';
import { z } from 'zod';
import { missingMigrations, type ReleaseSchema } from '../provision/missing-migrations.ts';

/** The running service's own access: nothing of the owner. */
const settings = z.object({ log: logSettings, database: databaseSettings });

const pauseMs = 1_000;
const tellEveryMs = 5_000;

/**
 * Waits until the schema has every migration of this release: a copy may start sooner than the provisioning step of its
 * release, or of a later one. Reads DATABASE_URL, has no time limit, and logs every five seconds what is missing.
 */
export async function awaitProvisioned(release: ReleaseSchema): Promise<void> {
  const { schema } = release;
  const { log, database } = loadConfig(settings, process.env);
  const logger = createLogger({ service: `${schema}-await-provisioned`, ...log });
  await using sql = createDatabase({
    ...database,
    schema,
    entities: [],
    logger: createLogger({ service: schema, level: 'silent', format: 'json' }),
    poolSize: 1,
  });
  for (let toldAt = -tellEveryMs; ; ) {
    const reason = await whatIsMissing(sql, release);
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
async function whatIsMissing(sql: SqlRunner, release: ReleaseSchema): Promise<string | undefined> {
  try {
    const missing = await missingMigrations(sql, release);
    return missing.length === 0 ? undefined : `migrations have not run: ${missing.join(', ')}`;
  } catch (error) {
    return (error as Error).message;
  }
}
