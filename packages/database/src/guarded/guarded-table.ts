import { type EntitySchema, p } from '@mikro-orm/postgresql';
import { canonicalValue } from '@rubrica/contracts/shared/canonical-value';

/** Table whose rows grant rights, with the fields that grant them. */
export interface GuardedTable {
  readonly name: string;
  /** Undefined if only SQL text reads and writes the table. */
  readonly entity: EntitySchema | undefined;
  readonly fields: readonly { readonly name: string; readonly column: string }[];
  /** Text before the values: table and fields by name, so that no two rows can have the same text. */
  readonly prefix: string;
  readonly versionColumn: string;
  readonly macColumn: string;
  readonly check: RowCheck;
  /** Absent: the table has a column `id` (a UUID) and all guarded columns. */
  readonly source?: RowSource;
}

/**
 * Rows that the periodic check reads. `former-keys`: rows whose MAC was created with a former key, for large tables
 * whose rows are verified at use. `none`: no row, because they live for an hour at most.
 */
export type RowCheck = 'all' | 'former-keys' | 'none';

/** SQL that reads the rows of a table one page after the other, and writes their MACs. */
export interface RowSource {
  /** Table that has the MAC. */
  readonly table: string;
  /** Unique column in whose order the rows are read. */
  readonly key: string;
  readonly keyType: 'uuid' | 'text' | 'bigint';
  readonly macColumn: string;
  /** JSON object with the guarded columns, as `RowGuard.isIntact` takes it. */
  readonly row: string;
  /** Tables that `row` and `where` need besides. */
  readonly join?: string;
  /** Rows that are still used. Absent: all. */
  readonly where?: string;
}

/**
 * Columns for the entity of a guarded table. Two writers of one row must not each create a MAC over the other's change,
 * so the version is compared when the row is written. Lock the row first if both shall succeed.
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
 * Describes the guarded table of an entity.
 * @param fields fields that grant or restrict a right; `id` and `version` are always included. If this list changes, a
 * table with existing rows needs a step that renews their MACs
 */
export function guardedTable<Row>(
  entity: EntitySchema<Row> | { readonly meta: { readonly tableName: string } },
  fields: readonly Exclude<keyof Row & string, 'id' | 'version' | 'mac'>[],
): GuardedTable {
  const schema = entity as EntitySchema;
  return createTable(schema.meta.tableName, schema, fields);
}

/** Names of the columns of a guarded table that differ from the default, and the rows to check. */
export type GuardedOptions = Partial<Pick<GuardedTable, 'versionColumn' | 'macColumn' | 'check' | 'source'>>;

/**
 * Describes a guarded table without an entity. Without a `source` it needs the columns `id` (a UUID), `version` and
 * `mac` too.
 */
export function guardedSqlTable(
  name: string,
  fields: readonly string[],
  options: GuardedOptions = {},
): GuardedTable {
  return { ...createTable(name, undefined, fields), ...options };
}

function createTable(
  name: string,
  entity: EntitySchema | undefined,
  fields: readonly string[],
): GuardedTable {
  return {
    versionColumn: 'version',
    macColumn: 'mac',
    check: 'all',
    name,
    entity,
    fields: fields.map((field) => ({ name: field, column: toColumn(field) })),
    prefix: `rubrica-row ${name} id version ${fields.join(' ')} `,
  };
}

/** Builds the text that the MAC covers. */
export function macData({ fields, prefix }: GuardedTable, row: Readonly<Record<string, unknown>>): string {
  const values = fields.map(({ name }) => normaliseValue(row[name]));
  return prefix + JSON.stringify([String(row.id).toLowerCase(), row.version, ...values]);
}

/** Converts a row from `to_jsonb` to the property names of its entity. */
export function toEntityRow(
  { fields, versionColumn, macColumn }: GuardedTable,
  stored: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const version = stored[versionColumn];
  const row: Record<string, unknown> = { id: stored.id, version, mac: stored[macColumn] };
  for (const { name, column } of fields) row[name] = stored[column];
  return row;
}

/** Builds SQL for a JSON object with the guarded columns of a row of `from`, the input of `RowGuard.isIntact`. */
export function guardedColumnsSql({ fields, versionColumn, macColumn }: GuardedTable, from: string): string {
  const columns = ['id', versionColumn, macColumn, ...fields.map(({ column }) => column)];
  return `jsonb_build_object(${columns.map((column) => `'${column}', ${from}.${column}`).join(', ')})`;
}

/** Returns the source of a table's rows. */
export function findRowSource(table: GuardedTable): RowSource {
  const { name, macColumn, source } = table;
  const row = guardedColumnsSql(table, name);
  return source ?? { table: name, key: 'id', keyType: 'uuid', macColumn, row };
}

function toColumn(field: string): string {
  return field.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

const instant = /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Normalises a value. An instant is a `Date` from the ORM and text from `to_jsonb`; JSON has its members in any order;
 * undefined, before the row is in the database, is null. An object becomes the text of its canonical form, as in MACs
 * of earlier releases. A string with such a text is wrapped, so that its MAC differs.
 */
function normaliseValue(value: unknown): unknown {
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

/**
 * Converts an instant to text. PostgreSQL has instants that no `Date` has: such a row fails, and must not end the check
 * of the others.
 */
function toInstant(value: string | Date): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
}
