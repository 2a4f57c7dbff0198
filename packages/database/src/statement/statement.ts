import type { EntityManager } from '@mikro-orm/postgresql';
import type { Statement } from '../connection/bound-statement.ts';
import type { Database } from '../connection/create-database.ts';
import { runStatement } from '../connection/run-statement.ts';
import type { SqlRunner } from '../connection/sql-runner.ts';
import type { OutboxParams } from '../outbox/outbox-event.ts';
import { numberParameters } from './named-parameters.ts';

/** Target of a statement: the database (own commit, stays prepared), or a transaction. */
export type StatementTarget = Pick<Database, 'statement'> | SqlRunner | EntityManager;

export interface NamedStatement<Params extends object, Row> {
  readonly name: string;
  /** SQL with `$1` instead of `:name`. */
  readonly text: string;
  /** @throws TypeError if a parameter is missing */
  bind(params: Params): Statement;
  run(target: StatementTarget, params: Params): Promise<Row[]>;
}

export interface StatementOptions {
  /** Name of the statement. One name has one text: PostgreSQL keeps the plan under it on each connection. */
  readonly name: string;
  /** SQL with parameters as `:name`. Never built from input. */
  readonly sql: string;
  /** The statement inserts outbox rows: the relay is notified after its commit. See `emitting`. */
  readonly emits?: boolean;
  /**
   * Shares round trip and commit with statements of the same time, if run on the database. For the hottest statements
   * on single rows, which never wait long for a lock: each waits for the others of its group.
   */
  readonly groupCommit?: boolean;
}

/** Defines SQL text with a name, typed parameters and typed rows, for fenced and hot writes and the hottest reads. */
export function statement<Params extends object, Row = Record<string, unknown>>(
  options: StatementOptions,
): NamedStatement<Params, Row> {
  const { name, emits = false, groupCommit = false } = options;
  const { text, names } = numberParameters(options.sql);
  const bind = (params: Params): Statement => ({
    name,
    text,
    params: collectValues(name, names, params),
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

/**
 * Collects the values of the parameters. An object with further properties is accepted, so that a leased row may be
 * passed.
 */
function collectValues(statementName: string, names: readonly string[], params: object): unknown[] {
  return names.map((name) => {
    if (!Object.hasOwn(params, name))
      throw new TypeError(`${statementName}: the parameter ${name} is missing`);
    return (params as Readonly<Record<string, unknown>>)[name];
  });
}

/** Parameters of a statement over many rows: a list for each column. */
export type ColumnMap<Row, Column extends keyof Row> = { readonly [Name in Column]: readonly Row[Name][] };

/**
 * Converts rows to parameters, a list for each column: `unnest(:id::uuid[], :fence::int[])`. It takes the named columns
 * and ignores the others.
 */
export function toColumns<Row extends object, const Column extends keyof Row & string>(
  rows: readonly Row[],
  columns: readonly Column[],
): ColumnMap<Row, Column> {
  const lists = columns.map((column) => [column, rows.map((row) => row[column])]);
  return Object.fromEntries(lists) as { [Name in Column]: Row[Name][] };
}
