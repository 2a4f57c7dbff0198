-- Two roles and a schema per service, in the database this is run in. Safe to repeat; run as superuser.
--
-- Passwords are settings of the session, so that they stand in no file and no argument list:
--   PGOPTIONS="-c rubrica.intake_owner_password=… -c rubrica.intake_password=… …" psql -f roles.sql
-- rubrica_<service>_owner owns the schema and migrates it; rubrica_<service> gets from migrations what the
-- running service needs.
do $$
declare
  service text;
  kind text;
  role_name text;
begin
  execute format('revoke all on database %I from public', current_database());
  revoke all on schema public from public;
  foreach service in array array['intake', 'generation', 'terms', 'notifier'] loop
    foreach kind in array array['_owner', ''] loop
      role_name := 'rubrica_' || service || kind;
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I', role_name);
      end if;
      execute format(
        'alter role %I with login noinherit nosuperuser nocreatedb nocreaterole password %L',
        role_name, current_setting('rubrica.' || service || kind || '_password')
      );
      execute format('grant connect on database %I to %I', current_database(), role_name);
      execute format('alter role %I set search_path = %I', role_name, service);
    end loop;
    execute format('create schema if not exists %I authorization %I', service, 'rubrica_' || service || '_owner');
    execute format('grant usage on schema %I to %I', service, 'rubrica_' || service);
    -- How sessions begin that come through a pooler in transaction mode, which passes no options on.
    execute format('alter role %I set timezone = %L', 'rubrica_' || service, 'UTC');
    execute format('alter role %I set statement_timeout = %L', 'rubrica_' || service, '15s');
    execute format('alter role %I set idle_in_transaction_session_timeout = %L', 'rubrica_' || service, '10s');
  end loop;
end
$$;
