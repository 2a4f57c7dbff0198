import { type Database, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';

/** Codes for a record that its owner does not know, or whose content was deleted. */
const goneCodes: readonly string[] = ['REQUEST_NOT_FOUND', 'PAYLOAD_EXPIRED'];

/**
 * Prepares the work of a job; returns undefined where its owner has no record or content left and the ledger has the
 * work.
 */
export type UnlessStored = <Prepared>(
  id: string,
  prepare: () => Promise<Prepared>,
) => Promise<Prepared | undefined>;

/**
 * Creates the check for redelivered jobs: if the acknowledgement was lost and record or content are gone, the job ends.
 * The ledger is read only in that case.
 */
export function createUnlessStored(
  table: 'delivery' | 'message',
  database: Pick<Database, 'statement'>,
): UnlessStored {
  const find = statement<{ id: string }>({
    name: `find-stored-${table}`,
    sql: `select 1 from ${table} where id = :id`,
  });
  return async (id, prepare) => {
    try {
      return await prepare();
    } catch (error) {
      const isGone = error instanceof AppError && goneCodes.includes(error.code);
      if (isGone && (await find.run(database, { id })).length > 0) return undefined;
      throw error;
    }
  };
}
