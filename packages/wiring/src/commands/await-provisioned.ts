import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type SqlRunner } from '@rubrica/database/connection';
import { databaseSettings, loadConfig, logSettings } from '@rubrica/process/config';
import { createLogger } from '@rubrica/process/log';
import { z } from 'zod';
import { missingMigrations, type ReleaseSchema } from '../provision/missing-migrations.ts';

/** Settings of the running service's own access, without the owner's. */
const settings = z.object({ log: logSettings, database: databaseSettings });

const pauseMs = 1_000;
const logEveryMs = 5_000;

/**
 * Waits until the schema has every migration of this release: a copy may start before the provisioning step of its
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
  for (let toldAt = -logEveryMs; ; ) {
    const reason = await describeMissing(sql, release);
    if (reason === undefined) break;
    if (performance.now() - toldAt >= logEveryMs) {
      toldAt = performance.now();
      logger.warn({ reason }, 'waiting for the provisioning of this release');
    }
    await delay(pauseMs);
  }
  logger.info({ schema }, 'schema up to date');
}

/**
 * Describes what is missing; undefined if nothing is. Every failure is a reason too: before its first provisioning
 * there is no schema.
 */
async function describeMissing(sql: SqlRunner, release: ReleaseSchema): Promise<string | undefined> {
  try {
    const missing = await missingMigrations(sql, release);
    return missing.length === 0 ? undefined : `migrations have not run: ${missing.join(', ')}`;
  } catch (error) {
    return (error as Error).message;
  }
}
