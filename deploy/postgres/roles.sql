-- Two roles and a schema per service, in the database this is run in. Safe to repeat; run as superuser. For a database of
-- one service alone, which is recommended: rubrica.services=terms.
--
-- Passwords are settings of the session, so that they stand in no file and no argument list:
--   PGOPTIONS="-c rubrica.intake_owner_password=… -c rubrica.intake_password=… …" psql -f roles.sql
-- Each role has a limit of connections, so that none can use up those of the server: README.md says how to size it.
-- Another than the default is a setting too, as rubrica.intake_connections=90; a role that has one keeps it.
-- rubrica_<service>_owner owns the schema and migrates it; rubrica_<service> gets from migrations what the
-- running service needs.
do $$
declare
  service text;
  kind text;
  role_name text;
  connections integer;
begin
  execute format('revoke all on database %I from public', current_database());
  revoke all on schema public from public;
  -- Large objects belong to no schema, and nothing here uses them.
  revoke execute on function lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) from public;
  foreach service in array coalesce(
    string_to_array(nullif(current_setting('rubrica.services', true), ''), ','),
    array['intake', 'generation', 'terms', 'notifier']
  ) loop
    foreach kind in array array['_owner', ''] loop
      role_name := 'rubrica_' || service || kind;
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I', role_name);
      end if;
      connections := coalesce(
        nullif(current_setting('rubrica.' || service || kind || '_connections', true), '')::integer,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = role_name),
        case when kind = '_owner' then 5 when service = 'intake' then 48 when service = 'generation' then 34 else 30 end
      );
      -- A deployment that has more copies than the default is for must not lose the next one.
      if (select rolconnlimit = -1 from pg_roles where rolname = role_name)
        and (select count(*) from pg_stat_activity where usename = role_name) > connections then
        raise warning '% has more than % sessions and stays without a limit: set rubrica.%_connections',
          role_name, connections, service || kind;
        connections := -1;
      end if;
      execute format(
        'alter role %I with login noinherit nosuperuser nocreatedb nocreaterole connection limit %s password %L',
        role_name, connections, current_setting('rubrica.' || service || kind || '_password')
      );
      execute format('grant connect on database %I to %I', current_database(), role_name);
      execute format('alter role %I set search_path = %I', role_name, service);
    end loop;
    execute format('create schema if not exists %I authorization %I', service, 'rubrica_' || service || '_owner');
    execute format('grant usage on schema %I to %I', service, 'rubrica_' || service);
    -- How sessions begin that come through a pooler in transaction mode, which passes no options on.
    -- The role may change them: `alter role … reset all` as superuser and this script put them back.
    execute format('alter role %I set timezone = %L', 'rubrica_' || service, 'UTC');
    execute format('alter role %I set datestyle = ''ISO, MDY''', 'rubrica_' || service);
    execute format('alter role %I set intervalstyle = %L', 'rubrica_' || service, 'postgres');
    execute format('alter role %I set extra_float_digits = %L', 'rubrica_' || service, '1');
    execute format('alter role %I set bytea_output = %L', 'rubrica_' || service, 'hex');
    execute format('alter role %I set default_transaction_isolation = %L', 'rubrica_' || service, 'read committed');
    execute format('alter role %I set default_transaction_read_only = %L', 'rubrica_' || service, 'off');
    execute format('alter role %I set default_transaction_deferrable = %L', 'rubrica_' || service, 'off');
    execute format('alter role %I set lock_timeout = %L', 'rubrica_' || service, '0');
    execute format('alter role %I set row_security = %L', 'rubrica_' || service, 'on');
    execute format('alter role %I set statement_timeout = %L', 'rubrica_' || service, '15s');
    execute format('alter role %I set idle_in_transaction_session_timeout = %L', 'rubrica_' || service, '10s');
  end loop;
end
$$;
