-- One row per attempt that intake ordered: the worker's claim, and the memory that the job was done.
create table issuance (
  request_id uuid not null,
  attempt integer not null check (attempt > 0),
  state text not null default 'PENDING' check (state in ('PENDING', 'ISSUED', 'FAILED', 'OBSOLETE')),
  -- Why it failed, from the error catalogue.
  code text,
  certificate_id uuid,
  -- Times the outcome was told again because the job came again.
  announcements integer not null default 0,
  lease_until timestamptz,
  fence integer not null default 0,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (request_id, attempt),
  constraint issuance_finished check ((state = 'PENDING') = (finished_at is null)),
  constraint issuance_code check ((state = 'FAILED') = (code is not null))
);

-- Every serial number that was ever taken, before it is used for anything.
-- RESERVED: drawn. INTENDED: what would be signed has passed the linter and stands in tbs.
-- ISSUED: the certificate is stored. ABANDONED: whatever was made under it has left this service nowhere.
create table serial_number (
  serial text primary key check (serial ~ '^[4-7][0-9A-F]{39}$'),
  request_id uuid not null,
  attempt integer not null,
  fence integer not null,
  state text not null default 'RESERVED' check (state in ('RESERVED', 'INTENDED', 'ISSUED', 'ABANDONED')),
  tbs bytea,
  reserved_at timestamptz not null default now(),
  intended_at timestamptz,
  foreign key (request_id, attempt) references issuance,
  constraint serial_number_intent check (state not in ('INTENDED', 'ISSUED') or tbs is not null)
);
create index serial_number_issuance on serial_number (request_id, attempt);

create table certificate (
  id uuid primary key,
  request_id uuid not null,
  attempt integer not null,
  serial text not null unique references serial_number,
  issuer text not null,
  profile text not null,
  key_algorithm text not null,
  subject text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  requested_not_after timestamptz not null,
  capped_by text check (capped_by in ('ISSUER', 'APPOINTMENT')),
  der bytea not null,
  issued_at timestamptz(3) not null,
  revoked_at timestamptz,
  revocation_reason text,
  foreign key (request_id, attempt) references issuance
);
-- The rule that no code can break: never two live certificates of one request.
create unique index certificate_one_live on certificate (request_id) where revoked_at is null;
create index certificate_issuance on certificate (request_id, attempt);
create index certificate_newest on certificate (issued_at desc, id desc);

-- The holder's file and password, sealed to this service, for as long as somebody may still fetch them.
create table bundle (
  certificate_id uuid primary key references certificate,
  sealed sealed,
  created_at timestamptz not null default now(),
  purge_at timestamptz not null,
  purged_at timestamptz,
  constraint bundle_purged check ((sealed is null) = (purged_at is not null))
);
create index bundle_due on bundle (purge_at) where purged_at is null;

-- Every decision, never a secret. Rows are added and never changed.
create table audit_entry (
  sequence bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  actor text not null,
  request_id uuid,
  attempt integer,
  serial text,
  detail jsonb not null default '{}'
);
create index audit_entry_request on audit_entry (request_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function refuse_change();
create trigger audit_entry_no_truncate before truncate on audit_entry
  for each statement execute function refuse_change();
