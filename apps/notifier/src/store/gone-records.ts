import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import type { MessageOutcome } from '@rubrica/wiring';

/** Returns whether the owner of a record does not know it, or has deleted its content. */
export function isGone(error: unknown): boolean {
  return error instanceof AppError && ['REQUEST_NOT_FOUND', 'PAYLOAD_EXPIRED'].includes(error.code);
}

/** Returns whether the ledger has the work of a job. */
export type IsStored = (id: string) => Promise<boolean>;

/**
 * Creates the check for redelivered jobs: if the acknowledgement was lost and record or content are gone, the job ends.
 * The ledger is read only in that case.
 */
export function createIsStored(
  table: 'delivery' | 'message',
  database: Pick<Database, 'statement'>,
): IsStored {
  const find = statement<{ id: string }>({
    name: `find-stored-${table}`,
    sql: `select 1 from ${table} where id = :id`,
  });
  return async (id) => (await find.run(database, { id })).length > 0;
}

/**
 * Ends a job when the ledger has its work, or nothing is left to do. A job whose record is unknown to its owner can
 * never succeed. Content that was deleted before (an erasure, or days that a partner skipped in the sandbox) is not a
 * fault.
 */
export async function endJob(
  work: Promise<void>,
  { id, logger }: { readonly id: string; readonly logger: Pick<Logger, 'warn'> },
): Promise<MessageOutcome> {
  try {
    await work;
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    if (err.code === 'REQUEST_NOT_FOUND') return { never: err };
    if (err.code !== 'PAYLOAD_EXPIRED') throw err;
    logger.warn({ err, messageId: id }, 'content deleted before sending');
  }
  return undefined;
}
