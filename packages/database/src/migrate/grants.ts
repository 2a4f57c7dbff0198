import { quoteIdentifier } from '../connection/identifiers.ts';

/** Table to which the application role adds rows and from which it removes none. */
export interface AppendOnlyTable {
  readonly name: string;
  /** Columns that it may set in a new row: not the number, which tells the order of rows. */
  readonly insertable: readonly string[];
  /** Columns that it may update nevertheless; at least one. */
  readonly updatable: readonly string[];
}

/**
 * Builds the grants of the application role: read and write rows of this schema, now and in later tables. It gets no
 * DDL, no TRUNCATE, no triggers, and no access to the record of migrations or the mark of a sandbox.
 */
export function grantStatements(options: {
  schema: string;
  appRole: string;
  grants?: readonly string[];
  appendOnly?: readonly AppendOnlyTable[];
  readOnly?: readonly string[];
}): string[] {
  const schema = quoteIdentifier(options.schema);
  const role = quoteIdentifier(options.appRole);
  const rows = 'select, insert, update, delete';
  return [
    `revoke all on schema ${schema} from public`,
    `revoke create on schema ${schema} from ${role}`,
    `grant usage on schema ${schema} to ${role}`,
    `revoke all on all tables in schema ${schema} from ${role}`,
    `grant ${rows} on all tables in schema ${schema} to ${role}`,
    buildIdentitySql(schema, role),
    `grant usage, select on all sequences in schema ${schema} to ${role}`,
    `alter default privileges in schema ${schema} grant ${rows} on tables to ${role}`,
    `alter default privileges in schema ${schema} grant usage, select on sequences to ${role}`,
    `revoke all on ${schema}.migrations, ${schema}.migration_checksums, ${schema}.installation from ${role}`,
    `grant select on ${schema}.migrations, ${schema}.installation to ${role}`,
    ...(options.grants ?? []),
    ...(options.readOnly ?? []).map(
      (name) => `revoke insert, update, delete on ${schema}.${quoteIdentifier(name)} from ${role}`,
    ),
    ...(options.appendOnly ?? []).flatMap(({ name, insertable, updatable }) => [
      `revoke insert, update, delete on ${schema}.${quoteIdentifier(name)} from ${role}`,
      `grant insert (${insertable.map(quoteIdentifier).join(', ')}) on ${schema}.${quoteIdentifier(name)} to ${role}`,
      `grant update (${updatable.map(quoteIdentifier).join(', ')}) on ${schema}.${quoteIdentifier(name)} to ${role}`,
    ]),
  ];
}

/**
 * Builds SQL that lets only the database number the rows of tables with an identity. A role that may set a number
 * (`overriding system value`) could take those of the next rows, and every later insert would fail.
 */
function buildIdentitySql(schema: string, role: string): string {
  return `do $numbers$
declare
  numbered record;
begin
  for numbered in
    select attrelid::regclass as name,
      string_agg(quote_ident(attname), ', ') filter (where attidentity = '') as columns
    from pg_catalog.pg_attribute join pg_catalog.pg_class on pg_class.oid = attrelid
    where relnamespace = '${schema}'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    group by attrelid having bool_or(attidentity <> '')
  loop
    execute format('revoke insert on %s from ${role}', numbered.name);
    execute format('grant insert (%s) on %s to ${role}', numbered.columns, numbered.name);
  end loop;
end $numbers$`;
}
