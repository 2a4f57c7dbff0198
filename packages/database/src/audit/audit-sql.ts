import { quoteIdentifier } from '../connection/identifiers.ts';
import type { AuditTable } from './audit-table.ts';

const chainColumns = ['chain_sequence', 'chain_version', 'previous_hash', 'hash'] as const;

/**
 * Puts an existing audit table on the chain, for a service's migrations: rows are only ever added, their places
 * are filled in once, checkpoints are only ever added. Never edit; a change is a new piece.
 *
 * `enable always`: `session_replication_role`, with which a restore switches triggers off, does not reach these.
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

/** What the application role keeps of its rights: to add, to read, and to fill in a place. */
export function auditGrants(
  table: Pick<AuditTable, 'name'> & Partial<Pick<AuditTable, 'id' | 'columns' | 'isTimedByDatabase'>>,
  names: { schema: string; appRole: string },
): string[] {
  const schema = quoteIdentifier(names.schema);
  const role = quoteIdentifier(names.appRole);
  const rows = `${schema}.${quoteIdentifier(table.name)}`;
  // The number of a row says what came after what: PostgreSQL alone gives it.
  const given = [table.id, ...(table.isTimedByDatabase ? ['at'] : [])];
  const inserted = (table.columns ?? []).map(({ name }) => name).filter((name) => !given.includes(name));
  return [
    `revoke update, delete on ${rows}, ${schema}.audit_checkpoint from ${role}`,
    ...(inserted.length === 0
      ? []
      : [
          `revoke insert on ${rows} from ${role}`,
          `grant insert (${inserted.map(quoteIdentifier).join(', ')}) on ${rows} to ${role}`,
        ]),
    `grant update (${chainColumns.join(', ')}) on ${rows} to ${role}`,
  ];
}
