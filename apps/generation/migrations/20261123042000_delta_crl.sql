-- A list is written and handed out in pieces: one of a million entries is 50 MB, which no statement should carry.
create table crl_piece (
  issuer text not null,
  shard integer not null,
  number bigint not null,
  -- Place of its first octet.
  at integer not null check (at >= 0),
  der bytea not null,
  primary key (issuer, shard, number, at),
  foreign key (issuer, shard) references crl
);
-- Its octets do not compress.
alter table crl_piece alter column der set storage external;

alter table crl drop constraint crl_signed;
-- Signed anew at the first look.
update crl set number = null, this_update = null, next_update = null, renew_at = null;
alter table crl
  drop column der,
  add column octets integer,
  -- Changes wait until then for the next complete list: a long one is not signed at each of them.
  add column rest_until timestamptz,
  -- The list of what has changed since the oldest complete list in force. Numbers are of one row for both.
  add column delta_number bigint,
  add column delta_octets integer,
  add column delta_changes bigint not null default 0,
  add column delta_this_update timestamptz,
  add column delta_next_update timestamptz,
  add column delta_renew_at timestamptz,
  -- The last complete list that names the delta ends then, and the delta with it.
  add column delta_until timestamptz,
  add constraint crl_signed
    check (num_nulls(number, octets, this_update, next_update, renew_at, rest_until) in (0, 6)),
  add constraint crl_delta_signed
    check (num_nulls(delta_number, delta_octets, delta_this_update, delta_next_update, delta_renew_at) in (0, 5)),
  add constraint crl_delta_number check (delta_number <= last_number);

-- Complete lists that name a delta and are in force: whoever has one of them can bring it up to date.
create table crl_base (
  issuer text not null,
  shard integer not null,
  number bigint not null,
  -- Changes of status that it knows.
  changes bigint not null,
  next_update timestamptz not null,
  primary key (issuer, shard, number),
  foreign key (issuer, shard) references crl
);

-- The last change of each certificate, numbered by `changes` of its issuer's complete list; removed when every complete list
-- in force has it.
create table status_change (
  certificate_id uuid primary key references certificate,
  issuer text not null,
  number bigint not null,
  at timestamptz(0) not null default date_trunc('second', now())
);
create unique index status_change_number on status_change (issuer, number);

-- The entries of a list, read in pages in this order.
drop index certificate_not_valid;
create index certificate_not_valid on certificate (issuer, not_after, serial)
  where revoked_at is not null or held_at is not null;
create index certificate_not_valid_in_shard on certificate (issuer, crl_shard, not_after, serial)
  where (revoked_at is not null or held_at is not null) and crl_shard > 0;
