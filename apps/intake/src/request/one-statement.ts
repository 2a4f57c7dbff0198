import {
  type NamedStatement,
  type OutboxEvent,
  outboxValues,
  type Statement,
  statement,
} from '@rubrica/database';

export type Row = Readonly<Record<string, unknown>>;

/** Rows written only when the statement's change to `request` gave a row. */
export interface DependentInsert {
  readonly table: string;
  readonly rows: readonly Row[];
}

export interface Consequences {
  readonly inserts: readonly DependentInsert[];
  readonly messages: readonly OutboxEvent[];
  /** SQL without parameters that reads `request.id`. */
  readonly updates?: readonly string[];
}

/** SQL that inserts, updates or selects one row of `request` and returns its id, with its `:named` parameters. */
export interface RequestChange {
  readonly sql: string;
  readonly params: Row;
}

function paramOf(table: string, row: number, column: string): string {
  return `${table}_${row}_${column}`;
}

/** A parameter of a `select` has no column to take its type from: `coalesce` gives it that of the table's column. */
function insertSql({ table, rows }: DependentInsert): string {
  const columns = Object.keys(rows[0] ?? {});
  const selects = rows.map((_, row) => {
    const cells = columns.map((name) => `coalesce(:${paramOf(table, row, name)}, (null::${table}).${name})`);
    return `select ${cells.join(', ')} from request`;
  });
  return `insert into ${table} (${columns.join(', ')}) ${selects.join(' union all ')}`;
}

function insertParams({ table, rows }: DependentInsert): [string, unknown][] {
  return rows.flatMap((cells, row) =>
    Object.entries(cells).map(([name, value]): [string, unknown] => [paramOf(table, row, name), value]),
  );
}

function outboxRow(message: OutboxEvent): Row {
  const [messageId, subject, payload, headers] = outboxValues(message);
  return { message_id: messageId, subject, payload, headers };
}

const statements = new Map<string, NamedStatement<Row, { readonly id: string }>>();
/** One name, one text: the few shapes that there are stay prepared on each connection. */
function named(sql: string, emits: boolean): NamedStatement<Row, { readonly id: string }> {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const made = statement<Row, { readonly id: string }>({
    name: `request:${statements.size}`,
    sql,
    emits,
    groupCommit: true,
  });
  statements.set(sql, made);
  return made;
}

/**
 * A change to one request with everything that follows from it, as one statement: one implicit transaction and
 * one round trip where an entity manager would make six.
 */
export function oneStatement(
  change: RequestChange,
  { inserts, messages, updates = [] }: Consequences,
): Statement {
  const outbox = { table: 'outbox', rows: messages.map(outboxRow) };
  const written = [...inserts, outbox].filter(({ rows }) => rows.length > 0);
  const ctes = [
    `request as (${change.sql})`,
    ...written.map((insert) => `new_${insert.table} as (${insertSql(insert)})`),
    ...updates.map((update, index) => `update_${index} as (${update})`),
  ];
  const sql = `with ${ctes.join(',\n')}\nselect id from request`;
  const params = { ...change.params, ...Object.fromEntries(written.flatMap(insertParams)) };
  return named(sql, messages.length > 0).bind(params);
}
