import { type Database, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';

/** The owner does not know the record, or its content was deleted. */
const goneCodes: readonly string[] = ['REQUEST_NOT_FOUND', 'PAYLOAD_EXPIRED'];

/** Prepares the work of a job; nothing where its owner has no record or content left and the ledger has the work. */
export type UnlessStored = <Prepared>(
  id: string,
  prepare: () => Promise<Prepared>,
) => Promise<Prepared | undefined>;

/**
 * Ends a job that is delivered again, as its acknowledgement was lost, when its record or content is gone by then.
 * The ledger is read in that case alone.
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
