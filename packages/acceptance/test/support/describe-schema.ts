/** Statements that list the parts of a schema `$1`, one line for each, independent of former names. */
const lists = {
  columns: `
    select format('%s.%s %s%s%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then ' not null' else '' end,
      case when a.attidentity <> '' then format(' identity %s', a.attidentity) else '' end,
      coalesce(pg_get_expr(d.adbin, d.adrelid), ''), a.attgenerated, a.attstorage, a.attcollation::regcollation) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'v', 'm', 'p') and a.attnum > 0 and not a.attisdropped`,
  relations: `
    select format('%s %s %s', relkind, relname, reloptions) as line from pg_class
    where relnamespace = $1::regnamespace and relkind <> 'i'`,
  constraints: `
    select format('%s %s %s valid %s', coalesce(conrelid::regclass::text, contypid::regtype::text), conname,
      pg_get_constraintdef(oid), convalidated) as line
    from pg_constraint where connamespace = $1::regnamespace`,
  indexes: `
    select format('%s valid %s', pg_get_indexdef(indexrelid), indisvalid) as line
    from pg_index join pg_class c on c.oid = indexrelid where c.relnamespace = $1::regnamespace`,
  functions: `
    select format('%s %s', pg_get_functiondef(oid), proacl) as line
    from pg_proc where pronamespace = $1::regnamespace and prokind in ('f', 'p')`,
  triggers: `
    select format('%s %s', pg_get_triggerdef(t.oid), tgenabled) as line
    from pg_trigger t join pg_class c on c.oid = tgrelid
    where c.relnamespace = $1::regnamespace and not tgisinternal`,
  types: `
    select format('%s %s %s', typname, typtype, format_type(typbasetype, typtypmod)) as line
    from pg_type where typnamespace = $1::regnamespace and typtype in ('d', 'e')`,
  views: `select format('%s %s', viewname, definition) as line from pg_views where schemaname = $1`,
  'rights on tables': `
    select format('%s %s', relname, acl) as line
    from pg_class, unnest(relacl) acl where relnamespace = $1::regnamespace`,
  'rights on columns': `
    select format('%s.%s %s', c.relname, attname, acl) as line
    from pg_attribute join pg_class c on c.oid = attrelid, unnest(attacl) acl
    where c.relnamespace = $1::regnamespace and not attisdropped`,
  'rights on the schema': `
    select acl::text as line from pg_namespace, unnest(nspacl) acl where nspname = $1`,
  'rights on later objects': `
    select format('%s %s', defaclobjtype, acl) as line
    from pg_default_acl, unnest(defaclacl) acl where defaclnamespace = $1::regnamespace`,
} as const;

interface Database {
  query<Row>(sql: string, params?: unknown[]): Promise<Row[]>;
}

/** Lists all parts of a schema, sorted. */
export async function describeSchema(database: Database, schema: string): Promise<string[]> {
  const lines: string[] = [];
  for (const [part, sql] of Object.entries(lists)) {
    const rows = await database.query<{ line: string }>(sql, [schema]);
    lines.push(...rows.map(({ line }) => `${part}: ${line}`));
  }
  return lines.toSorted();
}
