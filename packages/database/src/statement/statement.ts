import type { EntityManager } from '@mikro-orm/postgresql';
import type { Statement } from '../connection/bound-statement.ts';
import type { Database } from '../connection/create-database.ts';
import { runStatement } from '../connection/run-statement.ts';
import type { SqlRunner } from '../connection/sql-runner.ts';
import type { OutboxParams } from '../outbox/outbox-event.ts';
import { numberParameters } from './named-parameters.ts';

/** Where a statement may run: the database (its own commit, kept prepared), or a transaction. */
export type StatementTarget = Pick<Database, 'statement'> | SqlRunner | EntityManager;

export interface NamedStatement<Params extends object, Row> {
  readonly name: string;
  /** With `$1` in place of `:name`. */
  readonly text: string;
  /** @throws TypeError where a parameter is missing */
  bind(params: Params): Statement;
  run(target: StatementTarget, params: Params): Promise<Row[]>;
}

export interface StatementOptions {
  /** One name, one text: PostgreSQL keeps the plan under it on each connection. */
  readonly name: string;
  /** Parameters as `:name`. Never built from input. */
  readonly sql: string;
  /** It inserts outbox rows: the relay hears of it once it has committed. See `emitting`. */
  readonly emits?: boolean;
  /**
   * Run on the database, it shares round trip and commit with others that come at the same time. For the hottest
   * statements on single rows, which wait for nobody's lock for long: each waits for those beside it.
   */
  readonly groupCommit?: boolean;
}

/** SQL text with a name, typed parameters and typed rows, for fenced and hot writes and the hottest reads. */
export function statement<Params extends object, Row = Record<string, unknown>>(
  options: StatementOptions,
): NamedStatement<Params, Row> {
  const { name, emits = false, groupCommit = false } = options;
  const { text, names } = numberParameters(options.sql);
  const bind = (params: Params): Statement => ({
    name,
    text,
    params: valuesOf(name, names, params),
    emits,
    groupCommit,
    outboxRows: emits ? (params as Partial<OutboxParams>).outboxRows : undefined,
  });
  return {
    name,
    text,
    bind,
    async run(target, params) {
      const bound = bind(params);
      if ('getKysely' in target) return runStatement<Row>(target, bound);
      if ('statement' in target) return target.statement<Row>(bound);
      return target.execute<Row>(text, bound.params);
    },
  };
}

/** An object that has more than the statement asks for is taken as it is, so that a leased row may be handed on. */
function valuesOf(statementName: string, names: readonly string[], params: object): unknown[] {
  return names.map((name) => {
    if (!Object.hasOwn(params, name))
      throw new TypeError(`${statementName}: the parameter ${name} is missing`);
    return (params as Readonly<Record<string, unknown>>)[name];
  });
}

/** A list for each column: what a statement over many rows at once is given. */
export type ColumnsOf<Row, Column extends keyof Row> = { readonly [Name in Column]: readonly Row[Name][] };

/**
 * Rows as parameters, a list for each column: `unnest(:id::uuid[], :fence::int[])`. Takes the columns that are
 * named and leaves the others.
 */
export function columnsOf<Row extends object, const Column extends keyof Row & string>(
  rows: readonly Row[],
  columns: readonly Column[],
): ColumnsOf<Row, Column> {
  const lists = columns.map((column) => [column, rows.map((row) => row[column])]);
  return Object.fromEntries(lists) as { [Name in Column]: Row[Name][] };
}
