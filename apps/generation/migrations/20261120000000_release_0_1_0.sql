-- Tables of release 0.1.0. A database of that release has them by these migrations:
-- replaces 20261120090000_issuance
-- replaces 20261121103000_truncated_names
-- replaces 20261121120000_revocation
-- replaces 20261121180100_retention
-- replaces 20261121225000_retrieval
-- replaces 20261122214000_partner
-- replaces 20261123042000_delta_crl
-- replaces 20261123090100_one_index_by_request
-- replaces 20261123164000_certificate_searches
-- replaces 20261123203500_advanced_days

create function refuse_change()
 returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;

-- One row per attempt that intake ordered: the worker's claim, and the memory that the job was done.
create table issuance (
  request_id uuid,
  attempt integer check (attempt > 0),
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
  constraint issuance_code check ((state = 'FAILED') = (code is not null)),
  constraint issuance_finished check ((state = 'PENDING') = (finished_at is null)),
  primary key (request_id, attempt)
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
  constraint serial_number_intent check (state not in ('INTENDED', 'ISSUED') or (tbs is not null)),
  constraint serial_number_request_id_attempt_fkey foreign key (request_id, attempt) references issuance(request_id, attempt)
);
create index serial_number_issuance on serial_number (request_id, attempt);

create table certificate (
  id uuid primary key,
  request_id uuid not null,
  attempt integer not null,
  serial text not null references serial_number(serial),
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
  -- Attributes of the subject that were longer than a certificate may hold and so were cut: types, never values.
  truncated text[] not null default '{}'::text[],
  -- What has become of a certificate. A hold leaves revoked_at empty: it can be taken back, so a held certificate is
  -- still the one live certificate of its request (certificate_one_live).
  held_at timestamptz(3),
  -- Grows with every change of the status; what was signed about an older one is never served.
  status_version integer not null default 1,
  -- Which CRL speaks of it, fixed when it is issued: 0 is `{issuer}.crl`, n is `{issuer}-s{n}.crl`.
  crl_shard integer not null default 0 check (crl_shard >= 0),
  -- Whose order it was. What is asked for a partner is compared with it in the query.
  partner_id uuid not null,
  -- Lists are in the order of issuance. Of those that end after the same number of days, that is the order of their end too,
  -- so that any stretch of ends is a stretch of each of these, and there are few lengths.
  lifetime_days integer not null generated always as (floor(extract(epoch from (not_after - issued_at)) / 86400)::integer) stored,
  constraint certificate_revocation check ((revoked_at is null) = (revocation_reason is null)),
  constraint certificate_request_id_attempt_fkey foreign key (request_id, attempt) references issuance(request_id, attempt),
  constraint certificate_serial_key unique (serial)
);
-- The rule that no code can break: never two live certificates of one request.
create unique index certificate_one_live on certificate (request_id) where revoked_at is null;
create index certificate_issuance on certificate (request_id, attempt);
create index certificate_newest on certificate (issued_at desc, id desc);
-- The entries of a CRL, found without looking at the certificates that are good.
create index certificate_not_valid on certificate (issuer, not_after, serial) where (revoked_at is not null) or (held_at is not null);
create index certificate_not_valid_in_shard on certificate (issuer, crl_shard, not_after, serial) where ((revoked_at is not null) or (held_at is not null)) and (crl_shard > 0);
create index certificate_by_lifetime on certificate (lifetime_days, issued_at desc, id desc);
create index certificate_revoked_by_lifetime on certificate (lifetime_days, issued_at desc, id desc) where (revoked_at is not null) or (held_at is not null);

-- The holder's file and password, sealed to this service, for as long as somebody may still fetch them.
create table bundle (
  certificate_id uuid primary key references certificate(id),
  sealed sealed,
  created_at timestamptz not null default now(),
  purge_at timestamptz not null,
  purged_at timestamptz,
  -- The holder may still fetch the file until then, whatever else was delivered.
  keep_until timestamptz,
  -- A webhook may still hand the file over until then; null where there is none, or it was delivered.
  deliver_until timestamptz,
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
  detail jsonb not null default '{}'::jsonb
);
create trigger audit_entry_append_only before delete or update on audit_entry for each row execute function refuse_change();
create trigger audit_entry_no_truncate before truncate on audit_entry for each statement execute function refuse_change();

-- One row per CRL: the last one signed, and the claim of whoever signs the next.
create table crl (
  issuer text,
  shard integer check (shard >= 0),
  -- The last number taken. Taken before it is used, so none is ever used twice and none goes back.
  last_number bigint not null default 0,
  -- Changes of status so far, and how many of them the stored CRL knows.
  changes bigint not null default 0,
  signed_changes bigint not null default 0,
  -- The one that is served.
  number bigint,
  this_update timestamptz,
  next_update timestamptz,
  -- When the next one is signed though nothing has changed.
  renew_at timestamptz,
  lease_until timestamptz,
  fence integer not null default 0,
  octets integer,
  -- Changes wait until then for the next complete list: a long one is not signed at each of them.
  rest_until timestamptz,
  -- The list of what has changed since the oldest complete list in force. Numbers are of one row for both.
  delta_number bigint,
  delta_octets integer,
  delta_changes bigint not null default 0,
  delta_this_update timestamptz,
  delta_next_update timestamptz,
  delta_renew_at timestamptz,
  -- The last complete list that names the delta ends then, and the delta with it.
  delta_until timestamptz,
  constraint crl_delta_number check (delta_number <= last_number),
  constraint crl_delta_signed check (num_nulls(delta_number, delta_octets, delta_this_update, delta_next_update, delta_renew_at) = any (array[0, 5])),
  constraint crl_number check (number <= last_number),
  constraint crl_signed check (num_nulls(number, octets, this_update, next_update, renew_at, rest_until) = any (array[0, 6])),
  primary key (issuer, shard)
);

-- Signed OCSP answers, one per certificate and hash algorithm that clients ask with.
create table ocsp_answer (
  certificate_id uuid references certificate(id),
  hash_algorithm text,
  status_version integer not null,
  der bytea not null,
  this_update timestamptz not null,
  next_update timestamptz not null,
  primary key (certificate_id, hash_algorithm)
);
create index ocsp_answer_ended on ocsp_answer (next_update);

-- Intake's last word on a request. What is held is not purged; an older word never replaces a newer one.
create table retention (
  request_id uuid primary key,
  version integer not null,
  held boolean not null,
  -- By how much the sandbox has advanced the clock of the request, of which this service was told.
  advanced_days integer not null default 0
);

-- A list is written and handed out in pieces: one of a million entries is 50 MB, which no statement should carry.
create table crl_piece (
  issuer text,
  shard integer,
  number bigint,
  -- Place of its first octet.
  at integer check (at >= 0),
  der bytea storage external not null,
  constraint crl_piece_issuer_shard_fkey foreign key (issuer, shard) references crl(issuer, shard),
  primary key (issuer, shard, number, at)
);

-- Complete lists that name a delta and are in force: whoever has one of them can bring it up to date.
create table crl_base (
  issuer text,
  shard integer,
  number bigint,
  -- Changes of status that it knows.
  changes bigint not null,
  next_update timestamptz not null,
  constraint crl_base_issuer_shard_fkey foreign key (issuer, shard) references crl(issuer, shard),
  primary key (issuer, shard, number)
);

-- The last change of each certificate, numbered by `changes` of its issuer's complete list; removed when every complete list
-- in force has it.
create table status_change (
  certificate_id uuid primary key references certificate(id),
  issuer text not null,
  number bigint not null,
  at timestamptz(0) not null default date_trunc('second', now())
);
create unique index status_change_number on status_change (issuer, number);

-- What a certificate is found by: the words of its names and, with a # before it, the identification number. Names are kept
-- beside, so that a search for several words reads nothing but the index.
create table certificate_word (
  word text collate "C" not null,
  issued_at timestamptz(3) not null,
  certificate_id uuid not null references certificate(id),
  name text not null
);
create index certificate_word_newest on certificate_word (word, issued_at desc, certificate_id desc) include (name);
create index certificate_word_certificate_id on certificate_word (certificate_id);
