import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type SqlRunner } from '@rubrica/database';
import { createLogger, databaseSettings, loadConfig, logSettings } from '@rubrica/process';
import { z } from 'zod';
import { missingMigrations, type ReleaseSchema } from './missing-migrations.ts';

/** The running service's own access: nothing of the owner. */
const settings = z.object({ log: logSettings, database: databaseSettings });

const pauseMs = 1_000;
const tellEveryMs = 5_000;

/**
 * The process that a copy runs before its service: ends when the schema has every migration of this release, so when the
 * provisioning step of this release, or of a later one, has been there. Reads DATABASE_URL; waits without end, and says
 * every five seconds what for.
 */
export async function awaitProvisionedProgram(release: ReleaseSchema): Promise<void> {
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
