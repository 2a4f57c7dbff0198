-- Second factors of operators: one-time codes (RFC 6238) and passkeys. Without confirmed_at it is not enrolled yet.
create table operator_factor (
  id uuid primary key,
  operator_id uuid not null references operator (id),
  kind text not null,
  name text not null,
  sealed_secret text,
  -- The step of the last code that was taken: none counts twice.
  last_step integer not null default 0,
  credential_id text,
  public_key text,
  counter bigint not null default 0,
  transports jsonb not null default '[]',
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_used_at timestamptz,
  version integer not null default 1,
  mac text not null default ''
);
create index operator_factor_operator_id on operator_factor (operator_id);
create unique index operator_factor_credential_id on operator_factor (credential_id);

create table operator_recovery_code (
  id uuid primary key,
  operator_id uuid not null references operator (id),
  code_sha256 text not null,
  used_at timestamptz,
  version integer not null default 1,
  mac text not null default ''
);
create index operator_recovery_code_operator_id on operator_recovery_code (operator_id);
