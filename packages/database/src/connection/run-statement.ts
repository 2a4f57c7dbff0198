import type { EntityManager } from '@mikro-orm/postgresql';
import { takeEmitted } from '../outbox/emitted.ts';
import type { Statement } from './bound-statement.ts';
import { TransactionRequired } from './errors.ts';
import { toSqlRunner } from './sql-runner.ts';
import { noteEmitted } from './transaction-scope.ts';

/**
 * Runs a statement in the transaction of `em`. If it writes outbox rows, the relay is notified after the commit.
 * Outside a transaction, use `database.statement`.
 * @throws TransactionRequired outside a transaction
 */
export async function runStatement<Row = Record<string, unknown>>(
  em: EntityManager,
  statement: Statement,
): Promise<Row[]> {
  if (!em.isInTransaction()) throw new TransactionRequired('runStatement');
  const rows = await toSqlRunner(em).execute(statement.text, statement.params);
  if (statement.emits) {
    // They may still be rolled back, with the transaction or to a savepoint: the relay reads the remaining ones from
    // the table.
    takeEmitted(statement, rows);
    noteEmitted(em.config.get('contextName'));
  }
  return rows as Row[];
}
