-- Public keys by which a partner proves who it is (RFC 7523), at most three in force; those removed are kept for the record.
create table partner_key (
  id uuid primary key,
  partner_id uuid not null references partner (id),
  algorithm text not null check (algorithm in ('RSA', 'P-256', 'Ed25519')),
  jwk jsonb not null,
  thumbprint text not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz
);
create index partner_key_partner_id on partner_key (partner_id);
create unique index partner_key_in_force on partner_key (partner_id, thumbprint) where removed_at is null;

-- An assertion opens the door once, at whichever copy: its row is committed before a token is made.
create table used_assertion (
  partner_id uuid not null references partner (id),
  jti text not null,
  expires_at timestamptz not null,
  primary key (partner_id, jti)
);
create index used_assertion_expires_at on used_assertion (expires_at);

alter table partner add column client_secret_enabled boolean not null default true;
