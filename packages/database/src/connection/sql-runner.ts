import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';

/**
 * Runs one SQL statement with `$1` parameters and gives its rows, keyed by column name. `timestamptz` and
 * `date` come back as text in UTC and `bigint` as text, as the ORM's pool delivers them; `jsonb` comes parsed.
 */
export interface SqlRunner {
  execute<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** Where SQL may run: a transaction's entity manager, or the database itself (one statement, one commit). */
export type SqlTarget = SqlRunner | EntityManager;

/**
 * The runner of a transaction's connection. `em.execute` would write the parameters into the SQL text; this
 * binds them, so that a statement's text is the same in and out of a transaction.
 */
export function runnerOf(target: SqlTarget): SqlRunner {
  if (!('getKysely' in target)) return target;
  return {
    async execute<Row>(sql: string, params: readonly unknown[] = []) {
      const result = await target.getKysely().executeQuery(CompiledQuery.raw(sql, [...params]));
      return result.rows as Row[];
    },
  };
}
