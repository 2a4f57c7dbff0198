import { type OutboxEvent, outboxInsert, outboxValues, type Statement } from '@rubrica/database';

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

/** A parameter of a `select` has no column to take its type from: what is not text is cast. */
const columnTypes: Readonly<Record<string, string>> = {
  id: 'uuid',
  request_id: 'uuid',
  position: 'integer',
  size: 'integer',
  content: 'bytea',
  at: 'timestamptz',
  occurred_at: 'timestamptz',
  created_at: 'timestamptz',
  secret_until: 'timestamptz',
  sent_at: 'timestamptz',
  expires_at: 'timestamptz',
  due_at: 'timestamptz',
  terms_id: 'uuid',
  call_id: 'uuid',
  attempt: 'integer',
  reasons: 'jsonb',
  review: 'jsonb',
  details: 'jsonb',
};

function insertText({ table, rows }: DependentInsert, firstParam: number): string {
  const columns = Object.keys(rows[0] ?? {});
  const selects = rows.map((_, row) => {
    const cells = columns.map(
      (name, column) => `$${firstParam + row * columns.length + column}::${columnTypes[name] ?? 'text'}`,
    );
    return `select ${cells.join(', ')} from request`;
  });
  return `insert into ${table} (${columns.join(', ')}) ${selects.join(' union all ')}`;
}

const names = new Map<string, string>();
/** One name, one text: the few shapes that there are stay prepared on each connection. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `request:${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * A change to one request with everything that follows from it, as one statement: one implicit transaction and
 * one round trip where an entity manager would make six.
 * @param change SQL that inserts or updates one row of `request` and returns its id
 */
export function oneStatement(
  change: { readonly text: string; readonly params: readonly unknown[] },
  { inserts, messages, updates = [] }: Consequences,
): Statement {
  const params = [...change.params];
  const ctes = [`request as (${change.text})`];
  for (const insert of inserts.filter(({ rows }) => rows.length > 0)) {
    ctes.push(`new_${insert.table} as (${insertText(insert, params.length + 1)})`);
    params.push(...insert.rows.flatMap((row) => Object.values(row)));
  }
  messages.forEach((message, index) => {
    ctes.push(`message_${index} as (${outboxInsert({ firstParam: params.length + 1, from: 'request' })})`);
    params.push(...outboxValues(message));
  });
  ctes.push(...updates.map((update, index) => `update_${index} as (${update})`));
  const text = `with ${ctes.join(',\n')}\nselect id from request`;
  return { name: nameOf(text), text, params, emits: messages.length > 0 };
}
