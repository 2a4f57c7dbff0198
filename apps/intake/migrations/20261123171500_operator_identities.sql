-- Who an operator is at the organisation's OpenID provider.
create table operator_identity (
  id uuid primary key,
  operator_id uuid not null references operator (id),
  issuer text not null,
  subject text not null,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  mac text not null default '',
  unique (issuer, subject)
);
create index operator_identity_operator_id on operator_identity (operator_id);

-- A sign-in that was begun is finished once, at whichever copy: its row is committed before the provider is asked.
create table used_openid_flow (
  id uuid primary key,
  expires_at timestamptz not null
);
create index used_openid_flow_expires_at on used_openid_flow (expires_at);
