import { quoteIdentifier } from '@rubrica/database/connection';
import type { AuditLog, AuditTable } from '../log/audit-table.ts';

const chainColumns = ['chain_sequence', 'chain_version', 'previous_hash', 'hash'] as const;

/**
 * Adds the chain to an audit table, for migrations of services. Rows are only added, their positions are set once, and
 * checkpoints are only added. Never edit; a change needs a new function.
 *
 * `enable always`: `session_replication_role`, with which a restore switches off triggers, does not affect these.
 */
export function auditChainSql(table: Pick<AuditTable, 'name' | 'id'>): string {
  const name = quoteIdentifier(table.name);
  const columns = chainColumns.map((column) => `new.${column}`).join(', ');
  return `
alter table ${name}
  add column chain_sequence bigint,
  add column chain_version smallint,
  add column previous_hash bytea,
  add column hash bytea,
  add constraint ${table.name}_chain_sequence unique (chain_sequence),
  add constraint ${table.name}_chained
    check (num_nonnulls(chain_sequence, chain_version, previous_hash, hash) in (0, 4));
create index ${table.name}_unchained on ${name} (${quoteIdentifier(table.id)}) where chain_sequence is null;

create table audit_checkpoint (
  sequence bigint primary key,
  hash bytea not null,
  at timestamptz not null,
  kid text not null,
  jws text not null
);

create function audit_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;

-- The one change there is: a row gets its place, once. *= compares bytes, so nothing else can slip through.
create function audit_only_gets_its_place() returns trigger language plpgsql as $$
declare
  said record := new;
begin
  said.chain_sequence := null;
  said.chain_version := null;
  said.previous_hash := null;
  said.hash := null;
  if old.chain_sequence is null and old.hash is null and new.hash is not null and said *= old then
    return new;
  end if;
  raise exception 'rows of % are never changed', tg_table_name;
end $$;

drop trigger if exists ${table.name}_append_only on ${name};
drop trigger if exists ${table.name}_no_truncate on ${name};
create trigger ${table.name}_unplaced before insert on ${name}
  for each row when (num_nonnulls(${columns}) > 0) execute function audit_refuse_change();
create trigger ${table.name}_place before update on ${name}
  for each row execute function audit_only_gets_its_place();
create trigger ${table.name}_no_delete before delete on ${name}
  for each row execute function audit_refuse_change();
create trigger ${table.name}_no_truncate before truncate on ${name}
  for each statement execute function audit_refuse_change();
create trigger audit_checkpoint_append_only before update or delete on audit_checkpoint
  for each row execute function audit_refuse_change();
create trigger audit_checkpoint_no_truncate before truncate on audit_checkpoint
  for each statement execute function audit_refuse_change();
alter table ${name} enable always trigger ${table.name}_unplaced;
alter table ${name} enable always trigger ${table.name}_place;
alter table ${name} enable always trigger ${table.name}_no_delete;
alter table ${name} enable always trigger ${table.name}_no_truncate;
alter table audit_checkpoint enable always trigger audit_checkpoint_append_only;
alter table audit_checkpoint enable always trigger audit_checkpoint_no_truncate;
`;
}

/**
 * Adds a MAC of the service to each entry (`EntryGuard`), for migrations of services, after `auditChainSql`. The role
 * of the running service chooses neither time nor position of an entry, and adds checkpoints of chained rows only.
 * Never edit; a change needs a new function.
 *
 * Names that the role could shadow by a temporary table include their schema.
 */
export function guardedAuditSql(table: Pick<AuditTable, 'name' | 'id'>): string {
  const name = quoteIdentifier(table.name);
  const id = quoteIdentifier(table.id);
  return `
-- \`entry_id\` is the service's own, and unique: a copy of an entry is refused. \`by_owner\`: written by a command of the
-- schema's owner, which has no key.
alter table ${name}
  add column entry_id uuid,
  add column mac text,
  add column by_owner boolean not null default false;

-- When entries need no MAC: up to \`last_id\`, and while copies of the release before may write beside this one. The service's
-- role may only read it.
create table audit_upgrade (
  last_id bigint not null,
  began_at timestamptz not null default now(),
  ends_at timestamptz not null
);
insert into audit_upgrade (last_id, ends_at)
select coalesce(max(${id}), 0), case when count(*) > 0 then now() + interval '1 day' else now() end from ${name};

-- Copies of the release before name a time: it is replaced, not refused. A restore keeps times.
create function audit_takes_time() returns trigger language plpgsql as $$
begin
  if not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    new.at := pg_catalog.clock_timestamp();
    new.by_owner := false;
  end if;
  return new;
end $$;

-- No row gets a place but the next one, behind the row that has the hash it names.
create function audit_follows() returns trigger language plpgsql as $$
declare
  stray bigint;
begin
  execute pg_catalog.format('select placed.chain_sequence from placed
    where pg_catalog.octet_length(placed.hash) <> 32 or not case when placed.chain_sequence = 1
      then placed.previous_hash = pg_catalog.decode(pg_catalog.repeat(''00'', 32), ''hex'')
      else exists (select from %1$I.%2$I as before
        where before.chain_sequence = placed.chain_sequence - 1 and before.hash = placed.previous_hash) end
    limit 1', tg_table_schema, tg_table_name) into stray;
  if stray is not null then
    raise exception 'place % of % does not follow the one before it', stray, tg_table_name;
  end if;
  return null;
end $$;

create function audit_checkpoint_stands() returns trigger language plpgsql as $$
declare
  stands boolean;
begin
  if (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    return new;
  end if;
  execute pg_catalog.format('select exists (select from %I.%I where chain_sequence = $1 and hash = $2)',
    tg_table_schema, tg_argv[0]) into stands using new.sequence, new.hash;
  if not stands then
    raise exception 'no row at place % has this hash', new.sequence;
  end if;
  return new;
end $$;

create trigger ${table.name}_time before insert on ${name} for each row execute function audit_takes_time();
create trigger ${table.name}_follows after update on ${name} referencing new table as placed
  for each statement execute function audit_follows();
create trigger audit_checkpoint_stands before insert on audit_checkpoint
  for each row execute function audit_checkpoint_stands('${table.name}');
alter table ${name} enable always trigger ${table.name}_time;
alter table ${name} enable always trigger ${table.name}_follows;
alter table audit_checkpoint enable always trigger audit_checkpoint_stands;

-- A forged checkpoint does not take the place of the genuine one.
alter table audit_checkpoint drop constraint audit_checkpoint_pkey, add primary key (sequence, jws);
`;
}

/**
 * Refuses entries that a reader could not process: larger than 256 KiB as text, or nested in more than 32 levels. For
 * migrations of services, after `guardedAuditSql`. Entries are never removed, so one of them would stop the chain
 * permanently. Never edit.
 */
export function boundedAuditSql(table: Pick<AuditTable, 'name' | 'columns'>): string {
  const name = quoteIdentifier(table.name);
  return `
create function audit_is_bounded() ${boundFunctionBody(table, 262_144)}
create trigger ${table.name}_bounded before insert on ${name} for each row execute function audit_is_bounded();
alter table ${name} enable always trigger ${table.name}_bounded;
`;
}

/** Builds the body of the trigger function that refuses large or deeply nested entries. Never edit. */
function boundFunctionBody({ columns }: Pick<AuditTable, 'columns'>, maxBytes: number): string {
  const nested = columns
    .filter(({ kind }) => kind === 'json')
    .map((column) => `pg_catalog.jsonb_path_exists(new.${quoteIdentifier(column.name)}, '$.**{33 to last}')`);
  return `returns trigger language plpgsql as $$
begin
  if ${[`pg_catalog.octet_length(new::text) > ${maxBytes}`, ...nested].join('\n    or ')} then
    raise exception 'an entry of % is too large, or nested too deeply', tg_table_name;
  end if;
  return new;
end $$;`;
}

/**
 * Lowers the limits of `boundedAuditSql`, after which it runs: the chainer reads hundreds of entries at once, and a page
 * of the console fifty. Entries of the services are below 10 kB. Never edit.
 */
export function smallAuditSql(table: Pick<AuditTable, 'columns'>): string {
  return `
create or replace function audit_is_bounded() ${boundFunctionBody(table, 32_768)}

create function checkpoint_is_bounded() returns trigger language plpgsql as $$
begin
  if pg_catalog.octet_length(new::text) > 8192 then
    raise exception 'a row of % is too large', tg_table_name;
  end if;
  return new;
end $$;
create trigger audit_checkpoint_bounded before insert or update on audit_checkpoint
  for each row execute function checkpoint_is_bounded();
alter table audit_checkpoint enable always trigger audit_checkpoint_bounded;
`;
}

/**
 * Creates the index on the ids that the service assigns to entries; in its own migration without a transaction. Never
 * edit.
 */
export function auditEntryIdSql(table: Pick<AuditTable, 'name'>): string {
  return `create unique index concurrently if not exists ${table.name}_entry_id on ${quoteIdentifier(table.name)} (entry_id)`;
}

/**
 * Creates the indexes for `listAudit`, for migrations of services, after `auditChainSql`. Never edit; a change needs a
 * new function.
 */
export function auditSearchSql({ table, expressions }: AuditLog): string {
  const name = quoteIdentifier(table.name);
  const id = quoteIdentifier(table.id);
  return `
create index ${table.name}_by_actor on ${name} (actor, ${id});
create index ${table.name}_by_action on ${name} (action, ${id});
create index ${table.name}_by_request on ${name} ((${expressions.requestId}), ${id}) where (${expressions.requestId}) is not null;
create index ${table.name}_by_time on ${name} (at);
`;
}

/** Grants of the application role on the audit log: insert, select, and set a position. */
export function auditGrants(
  table: Pick<AuditTable, 'name'> & Partial<Pick<AuditTable, 'id' | 'columns' | 'isTimedByDatabase'>>,
  names: { schema: string; appRole: string },
): string[] {
  const schema = quoteIdentifier(names.schema);
  const role = quoteIdentifier(names.appRole);
  const rows = `${schema}.${quoteIdentifier(table.name)}`;
  // The number of a row tells the order of rows, so PostgreSQL alone assigns it.
  const given = [table.id, ...(table.isTimedByDatabase ? ['at'] : [])];
  const own = ['entry_id', 'mac', 'by_owner'];
  const inserted = (table.columns ?? []).map(({ name }) => name).filter((name) => !given.includes(name));
  return [
    `revoke update, delete on ${rows}, ${schema}.audit_checkpoint from ${role}`,
    `revoke insert, update, delete on ${schema}.audit_upgrade from ${role}`,
    ...(inserted.length === 0
      ? []
      : [
          `revoke insert on ${rows} from ${role}`,
          `grant insert (${[...inserted, ...own].map(quoteIdentifier).join(', ')}) on ${rows} to ${role}`,
        ]),
    `grant update (${chainColumns.join(', ')}) on ${rows} to ${role}`,
  ];
}

/**
 * Builds the bounds of an audit log and of the locks beside it. The database alone chooses the time of an entry; a
 * restored log may have any. Never edit.
 */
export function boundedAuditRowsSql({ name }: Pick<AuditTable, 'name'>): string {
  return `
select bound_rows('${name}', '{"at": "infinity"}');
select bound_rows('audit_checkpoint');
select bound_rows('named_lock');
`;
}
