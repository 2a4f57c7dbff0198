import { type EntitySchema, p } from '@mikro-orm/postgresql';
import { canonicalValue } from '@rubrica/contracts/shared/canonical-value';

/** A table whose rows give rights, and the fields that do. */
export interface GuardedTable {
  readonly name: string;
  /** Undefined where SQL text alone reads and writes it. */
  readonly entity: EntitySchema | undefined;
  readonly fields: readonly { readonly name: string; readonly column: string }[];
  /** Before the values: table and fields by name, so that no two rows can have the same text. */
  readonly prefix: string;
  readonly versionColumn: string;
  readonly macColumn: string;
  readonly check: RowCheck;
}

/**
 * Rows that the periodic check reads. `former-keys`: those whose MAC a former key has made, for large tables whose rows are
 * verified where they are used. `none`: no row, for tables without an id.
 */
export type RowCheck = 'all' | 'former-keys' | 'none';

/**
 * For the entity of such a table. Two writers of one row must not each make a MAC over what the other has changed, so
 * the version is compared as the row is written; lock the row first where both shall succeed.
 */
export const guardedColumns = {
  version: p
    .integer()
    .onCreate(() => 1)
    .concurrencyCheck(),
  mac: p
    .text()
    .onCreate(() => '')
    .hidden(),
};

/**
 * @param fields those that give a right or take one; `id` and `version` are always in. A table whose rows exist already
 *   needs a step that writes their MACs anew when this list changes
 */
export function guardedTable<Row>(
  entity: EntitySchema<Row> | { readonly meta: { readonly tableName: string } },
  fields: readonly Exclude<keyof Row & string, 'id' | 'version' | 'mac'>[],
): GuardedTable {
  const schema = entity as EntitySchema;
  return tableOf(schema.meta.tableName, schema, fields);
}

/** Columns of a guarded table that has other names for them, and the rows that are checked. */
export type GuardedOptions = Partial<Pick<GuardedTable, 'versionColumn' | 'macColumn' | 'check'>>;

/** The same of a table without an entity; it has the columns `id` (a UUID), `version` and `mac` too. */
export function guardedSqlTable(
  name: string,
  fields: readonly string[],
  options: GuardedOptions = {},
): GuardedTable {
  return { ...tableOf(name, undefined, fields), ...options };
}

function tableOf(name: string, entity: EntitySchema | undefined, fields: readonly string[]): GuardedTable {
  return {
    versionColumn: 'version',
    macColumn: 'mac',
    check: 'all',
    name,
    entity,
    fields: fields.map((field) => ({ name: field, column: columnOf(field) })),
    prefix: `rubrica-row ${name} id version ${fields.join(' ')} `,
  };
}

/** What the MAC is over. */
export function macData({ fields, prefix }: GuardedTable, row: Readonly<Record<string, unknown>>): string {
  const values = fields.map(({ name }) => inOneForm(row[name]));
  return prefix + JSON.stringify([String(row.id).toLowerCase(), row.version, ...values]);
}

/** A row as `to_jsonb` gives it, under the names of its entity. */
export function rowOf(
  { fields, versionColumn, macColumn }: GuardedTable,
  stored: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const version = stored[versionColumn];
  const row: Record<string, unknown> = { id: stored.id, version, mac: stored[macColumn] };
  for (const { name, column } of fields) row[name] = stored[column];
  return row;
}

/** SQL: a JSON object with the guarded columns of a row of `from`, as `RowGuard.isIntact` takes it. */
export function guardedColumnsSql({ fields, versionColumn, macColumn }: GuardedTable, from: string): string {
  const columns = ['id', versionColumn, macColumn, ...fields.map(({ column }) => column)];
  return `jsonb_build_object(${columns.map((column) => `'${column}', ${from}.${column}`).join(', ')})`;
}

function columnOf(field: string): string {
  return field.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

const instant = /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * An instant is a `Date` from the ORM and text from `to_jsonb`; JSON comes with its members in any order; undefined,
 * before the row is in the database, is null. An object is the text of its canonical form, as in MACs of earlier releases; a
 * string with that text is wrapped, so that it has another MAC.
 */
function inOneForm(value: unknown): unknown {
  if (typeof value === 'string') {
    if (isCanonicalJson(value)) return ['text', value];
    return instant.test(value) ? toInstant(value) : value;
  }
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  return value instanceof Date ? toInstant(value) : canonicalValue(value);
}

/** Tells whether a text is the canonical form of an object or a list. */
function isCanonicalJson(text: string): boolean {
  if (!/^[{[].*[}\]]$/s.test(text)) return false;
  try {
    return canonicalValue(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

/** PostgreSQL has instants that no `Date` has: such a row fails, and must not end the look at the others. */
function toInstant(value: string | Date): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
}
