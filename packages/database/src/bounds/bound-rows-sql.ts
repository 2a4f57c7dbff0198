/**
 * Functions that bound the columns of a table, for a migration of every service with a database. The role of the service
 * can write any row. One value without a bound would fail the statement of a batch for all rows, or fill the memory of
 * its reader. Never edit; a change needs a new constant.
 *
 * A function of the row holds the bounds of a table. PostgreSQL would read the text of a long check again in each
 * statement: an update of a table with sixty columns takes three times as long.
 */
export const boundRowsSql = `
-- Gives each column of a table a bound by its type. \`limits\` names other ones: the greatest number or size in bytes, an array
-- of the least and the greatest number, or "infinity" for a time that may be without end. Called again after a new column.
create function bound_rows(bounded regclass, limits jsonb default '{}') returns void language plpgsql as $bound$
declare
  name text := (select relname from pg_class where oid = bounded);
  unknown text := (select string_agg(key, ', ') from jsonb_object_keys(limits) as key
    where not exists (select from pg_attribute where attrelid = bounded and attname = key and not attisdropped));
  conditions text;
begin
  if unknown is not null then
    raise exception '% has no %', bounded, unknown;
  end if;
  select string_agg(case
      when type in ('uuid', 'boolean') then null
      when type in ('smallint', 'integer', 'bigint', 'double precision') then
        format('$1.%I between %s and %s', attname, least, greatest)
      when type in ('date', 'timestamp with time zone') then
        format('($1.%I between ''0001-01-01'' and ''9999-12-31''%s)', attname, infinite)
      when type in ('text', 'bytea') then format('pg_catalog.octet_length($1.%I) <= %s', attname, greatest)
      when type = 'jsonb' or is_array then format('pg_catalog.octet_length($1.%I::text) <= %s', attname, greatest)
      -- A type that this function does not know has to be added to it.
      else format('unknown_bound($1.%I)', attname)
    end, E'\\n    and ' order by attnum)
  into conditions
  from (
    select attname, attnum, type, is_array, case when own = '"infinity"' then format(' or $1.%I = ''infinity''', attname) end as infinite,
      coalesce(case when jsonb_typeof(own) = 'array' then own ->> 0 end, '0') as least,
      coalesce(case jsonb_typeof(own) when 'array' then own ->> 1 when 'number' then own #>> '{}' end,
        case type when 'smallint' then '16384' when 'bigint' then '9007199254740992' when 'text' then '65536' when 'bytea' then '65536'
          when 'jsonb' then '262144' else case when is_array then '65536' else '1073741824' end end) as greatest
    from (
      select attname, attnum, limits -> attname as own, pg_type.typcategory = 'A' as is_array,
        format_type(case when typtype = 'd' then typbasetype else atttypid end, null) as type
      from pg_attribute join pg_type on pg_type.oid = atttypid
      where attrelid = bounded and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    ) as typed
  ) as bound;
  execute format('create or replace function is_in_bounds(%s) returns boolean language plpgsql stable as $body$
begin
  return %s;
end $body$', bounded, conditions);
  if not exists (select from pg_constraint where conrelid = bounded and conname = name || '_within_bounds') then
    execute format('alter table %s add constraint %I check (is_in_bounds(%I.*)) not valid', bounded, name || '_within_bounds', name);
  end if;
end $bound$;

-- Lets the service's role move columns of a table up by one at a time only, and insert no great number: one that is at its end
-- would fail each statement that counts it up.
create function step_rows(counted regclass, variadic columns text[]) returns void language plpgsql as $step$
declare
  name text := (select relname from pg_class where oid = counted);
begin
  execute format('create or replace function %I() returns trigger language plpgsql as $body$
begin
  if tg_op = ''UPDATE'' and (%s) is not true then
    return new;
  end if;
  if (select pg_catalog.pg_has_role(relowner, ''usage'') from pg_catalog.pg_class where oid = tg_relid) then
    return new;
  end if;
  raise exception ''numbers of %% move forward one by one'', tg_table_name;
end $body$', 'keep_' || name || '_in_step',
    (select string_agg(format('new.%1$I > old.%1$I::bigint + 1', c), ' or ') from unnest(columns) as c));
  execute format('create or replace trigger %I before update on %s for each row execute function %I()',
    name || '_in_step', counted, 'keep_' || name || '_in_step');
  execute format('create or replace trigger %I before insert on %s for each row when (%s) execute function %I()',
    name || '_begins_low', counted, (select string_agg(format('new.%I > 1048576', c), ' or ') from unnest(columns) as c),
    'keep_' || name || '_in_step');
end $step$;
`;

/** Bounds of outbox and read streams. Never edit. */
export const boundedOutboxSql = `
select bound_rows('outbox', '{"payload": 524288, "headers": 16384}');
select step_rows('outbox', 'publish_count');
select bound_rows('stream_seen');
`;
