-- Two roles and a schema per service, in the database this is run in. Safe to repeat; run as superuser. For a database of
-- one service alone, which is recommended: rubrica.services=terms.
--
-- Passwords are settings of the session, so that they stand in no file and no argument list:
--   PGOPTIONS="-c rubrica.intake_owner_password=… -c rubrica.intake_password=… …" psql -f roles.sql
-- Each role has a limit of connections, so that none can use up those of the server: README.md says how to size it.
-- Another than the default is a setting too, as rubrica.intake_connections=90; a role that has one keeps it.
-- Advisory locks are nobody's: with them one session fills the table of locks that the whole server shares. While release
-- 0.1.0 runs, which takes them, the roles of a service keep what it needs, until this script runs again after provisioning of
-- 0.2.0; rubrica.beside_0_1_0=on keeps it longer, as for a roll-back.
-- rubrica_<service>_owner owns the schema and migrates it; rubrica_<service> gets from migrations what the
-- running service needs.
do $$
declare
  service text;
  kind text;
  role_name text;
  connections integer;
  closed oid;
  maintenance text;
  is_beside_former boolean;
begin
  execute format('revoke all on database %I from public', current_database());
  -- What is revoked here is not revoked there.
  for maintenance in select datname from pg_database
    where datname in ('postgres', 'template1') and datname <> current_database()
  loop
    execute format('revoke all on database %I from public', maintenance);
  end loop;
  revoke all on schema public from public;
  -- Large objects belong to no schema, and advisory locks to no role. Nothing here uses them.
  for closed in select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace
    and (proname ~ '^pg_(try_)?advisory_' or proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import'))
  loop
    execute format('revoke execute on function %s from public', closed::regprocedure);
  end loop;
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
    is_beside_former := coalesce(
      nullif(current_setting('rubrica.beside_0_1_0', true), '')::boolean,
      to_regclass(service || '.migrations') is not null and to_regclass(service || '.named_lock') is null
    );
    for closed in select unnest(array[
      'pg_try_advisory_lock(bigint)'::regprocedure, 'pg_try_advisory_xact_lock(bigint)', 'pg_advisory_xact_lock(bigint)'
    ]) loop
      execute format(
        case when is_beside_former then 'grant execute on function %s to %I, %I' else 'revoke execute on function %s from %I, %I' end,
        closed::regprocedure, 'rubrica_' || service || '_owner', 'rubrica_' || service
      );
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
    -- Values stand in the text of statements: a failed one leaves nothing but its error in the server's log.
    execute format('alter role %I set log_min_error_statement = %L', 'rubrica_' || service, 'panic');
  end loop;
end
$$;
