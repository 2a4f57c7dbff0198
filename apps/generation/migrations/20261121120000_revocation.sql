-- What has become of a certificate. A hold leaves revoked_at empty: it can be taken back, so a held certificate is
-- still the one live certificate of its request (certificate_one_live).
alter table certificate
  add column held_at timestamptz(3),
  -- Grows with every change of the status; what was signed about an older one is never served.
  add column status_version integer not null default 1,
  -- Which CRL speaks of it, fixed when it is issued: 0 is `{issuer}.crl`, n is `{issuer}-s{n}.crl`.
  add column crl_shard integer not null default 0 check (crl_shard >= 0),
  add constraint certificate_revocation check ((revoked_at is null) = (revocation_reason is null));

-- The entries of a CRL, found without looking at the certificates that are good.
create index certificate_not_valid on certificate (issuer, crl_shard, not_after)
  where revoked_at is not null or held_at is not null;

-- One row per CRL: the last one signed, and the claim of whoever signs the next.
create table crl (
  issuer text not null,
  shard integer not null check (shard >= 0),
  -- The last number taken. Taken before it is used, so none is ever used twice and none goes back.
  last_number bigint not null default 0,
  -- Changes of status so far, and how many of them the stored CRL knows.
  changes bigint not null default 0,
  signed_changes bigint not null default 0,
  -- The one that is served.
  number bigint,
  der bytea,
  this_update timestamptz,
  next_update timestamptz,
  -- When the next one is signed though nothing has changed.
  renew_at timestamptz,
  lease_until timestamptz,
  fence integer not null default 0,
  primary key (issuer, shard),
  constraint crl_signed check (num_nulls(number, der, this_update, next_update, renew_at) in (0, 5)),
  constraint crl_number check (number <= last_number)
);

-- Signed OCSP answers, one per certificate and hash algorithm that clients ask with.
create table ocsp_answer (
  certificate_id uuid not null references certificate,
  hash_algorithm text not null,
  status_version integer not null,
  der bytea not null,
  this_update timestamptz not null,
  next_update timestamptz not null,
  primary key (certificate_id, hash_algorithm)
);
create index ocsp_answer_ended on ocsp_answer (next_update);
