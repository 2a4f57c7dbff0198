import { createHash } from 'node:crypto';
import type { Statement } from '@rubrica/database/connection';
import { emitting, type OutboxEvent, outboxParams } from '@rubrica/database/outbox';
import { type NamedStatement, statement } from '@rubrica/database/statement';

export type Row = Readonly<Record<string, unknown>>;

/** Rows that are written only if the statement's change to `request` returned a row. */
export interface DependentInsert {
  readonly table: string;
  readonly rows: readonly Row[];
}

/**
 * Change of another table, as SQL that reads `request.id` and `request.created_at`, with its own parameters.
 */
export interface DependentWrite {
  readonly name: string;
  readonly sql: string;
  readonly params: Row;
}

export interface DependentChanges {
  readonly inserts: readonly DependentInsert[];
  readonly writes?: readonly DependentWrite[];
  readonly messages: readonly OutboxEvent[];
  /** SQL without parameters that reads `request.id`. */
  readonly updates?: readonly string[];
}

/**
 * SQL that inserts, updates or selects one row of `request` and returns its id, for writes also its
 * `created_at`, with its `:named` parameters.
 */
export interface RequestChange {
  readonly sql: string;
  readonly params: Row;
  /** Further result columns of the statement, as SQL over the columns that `sql` returns. */
  readonly gives?: string;
}

function toParamName(table: string, row: number, column: string): string {
  return `${table}_${row}_${column}`;
}

/**
 * Returns the insert. A parameter of a `select` has no column that gives it a type: `coalesce` gives it the
 * type of the table's column.
 */
function insertSql({ table, rows }: DependentInsert): string {
  const columns = Object.keys(rows[0] ?? {});
  const selects = rows.map((_, row) => {
    const cells = columns.map(
      (name) => `coalesce(:${toParamName(table, row, name)}, (null::${table}).${name})`,
    );
    return `select ${cells.join(', ')} from request`;
  });
  return `insert into ${table} (${columns.join(', ')}) ${selects.join(' union all ')}`;
}

function insertParams({ table, rows }: DependentInsert): [string, unknown][] {
  return rows.flatMap((cells, row) =>
    Object.entries(cells).map(([name, value]): [string, unknown] => [toParamName(table, row, name), value]),
  );
}

type RequestStatement = NamedStatement<Row, { readonly id: string }>;

const statements = new Map<string, RequestStatement>();
/**
 * Returns the statement of a shape. A shape has one name and one text: the few that there are stay prepared
 * on each connection. The name is a hash of the text: copies behind one pooler give a name to the same text,
 * whatever each did first.
 */
function getStatement(shape: string, emits: boolean, buildText: () => string): RequestStatement {
  const existing = statements.get(shape);
  if (existing !== undefined) return existing;
  const sql = buildText();
  const name = `request:${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
  const created: RequestStatement = statement({ name, sql, emits, groupCommit: true });
  statements.set(shape, created);
  return created;
}

function describeShape({ table, rows }: DependentInsert): string {
  return `${table}*${rows.length}(${Object.keys(rows[0] ?? {})})`;
}

/**
 * Builds a change to one request with everything that follows from it, as one statement. It is one implicit
 * transaction and one round trip, where an entity manager would need six.
 */
export function buildStatement(
  { sql, params, gives }: RequestChange,
  { inserts, messages, updates = [], writes = [] }: DependentChanges,
): Statement {
  const written = inserts.filter(({ rows }) => rows.length > 0);
  const emits = messages.length > 0;
  const shape = [
    sql,
    gives,
    emits,
    ...written.map(describeShape),
    ...updates,
    ...writes.map((write) => write.sql),
  ].join('\n');
  const change = getStatement(shape, emits, () => {
    const ctes = [
      `request as (${sql})`,
      ...written.map((insert) => `new_${insert.table} as (${insertSql(insert)})`),
      ...updates.map((update, index) => `update_${index} as (${update})`),
      ...writes.map(({ name, sql: write }) => `${name} as (${write})`),
    ];
    const given = gives === undefined ? 'id' : `id, ${gives}`;
    const end = emits ? emitting({ from: 'request', gives: given }) : `select ${given} from request`;
    return `with ${ctes.join(',\n')}\n${end}`;
  });
  const rows = Object.fromEntries(written.flatMap(insertParams));
  const writeParams = Object.assign({}, ...writes.map((write) => write.params));
  return change.bind({ ...params, ...rows, ...writeParams, ...(emits ? outboxParams(...messages) : {}) });
}
