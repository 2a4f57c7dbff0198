import type { Database } from '@rubrica/database/connection';
import type { Logger } from '@rubrica/process/log';
import { untilDatabaseAnswers } from '../provision/until-reached.ts';

const remedy =
  'this database was not made as a sandbox: set SANDBOX=false, or provision an empty database with SANDBOX=true';

/**
 * Refuses to serve a sandbox on a database whose owner has not marked it as one at provisioning.
 * @throws Error if it is not marked
 */
export async function assertSandbox(
  { database, sandbox }: { readonly database: Pick<Database, 'execute'>; readonly sandbox: boolean },
  { logger }: { readonly logger: Pick<Logger, 'warn' | 'fatal'> },
): Promise<void> {
  const isMarked = await untilDatabaseAnswers(() => readMark(database), logger);
  if (isMarked && !sandbox)
    logger.warn(
      { reason: 'SANDBOX=false' },
      'this database was made as a sandbox: nobody has checked the people in it',
    );
  if (!sandbox || isMarked) return;
  logger.fatal({ reason: 'SANDBOX=true' }, remedy);
  throw new Error(remedy);
}

/** Reads the mark; also false if the schema was provisioned by a release without marks. */
async function readMark(database: Pick<Database, 'execute'>): Promise<boolean> {
  const [table] = await database.execute<{ isThere: boolean }>(
    `select to_regclass('installation') is not null as "isThere"`,
  );
  if (table?.isThere !== true) return false;
  const [row] = await database.execute<{ isSandbox: boolean }>(
    'select is_sandbox as "isSandbox" from installation',
  );
  return row?.isSandbox === true;
}
