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
}

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

/** The same of a table without an entity; it has the columns `id` (a UUID), `version` and `mac` too. */
export function guardedSqlTable(name: string, fields: readonly string[]): GuardedTable {
  return tableOf(name, undefined, fields);
}

function tableOf(name: string, entity: EntitySchema | undefined, fields: readonly string[]): GuardedTable {
  return {
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
  { fields }: GuardedTable,
  stored: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const row: Record<string, unknown> = { id: stored.id, version: stored.version, mac: stored.mac };
  for (const { name, column } of fields) row[name] = stored[column];
  return row;
}

function columnOf(field: string): string {
  return field.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

const instant = /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * An instant is a `Date` from the ORM and text from `to_jsonb`; JSON comes with its members in any order; undefined,
 * before the row is in the database, is null.
 */
function inOneForm(value: unknown): unknown {
  if (typeof value === 'string') return instant.test(value) ? new Date(value).toISOString() : value;
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  return value instanceof Date ? value.toISOString() : canonicalValue(value);
}
