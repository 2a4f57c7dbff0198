import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';

/**
 * Runs one SQL statement with `$1` parameters and returns its rows, keyed by column name. `timestamptz` and `date` are
 * returned as text in UTC and `bigint` as text, like from the ORM's pool; `jsonb` is parsed.
 */
export interface SqlRunner {
  execute<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** Target of SQL: a transaction's entity manager, or the database itself (one statement, one commit). */
export type SqlTarget = SqlRunner | EntityManager;

/**
 * Returns the runner of a transaction's connection. `em.execute` would write the parameters into the SQL text; this one
 * binds them, so that a statement's text is equal inside and outside of a transaction.
 */
export function toSqlRunner(target: SqlTarget): SqlRunner {
  if (!('getKysely' in target)) return target;
  return {
    async execute<Row>(sql: string, params: readonly unknown[] = []) {
      const result = await target.getKysely().executeQuery(CompiledQuery.raw(sql, [...params]));
      return result.rows as Row[];
    },
  };
}
