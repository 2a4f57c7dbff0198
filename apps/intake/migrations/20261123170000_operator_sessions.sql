-- Sessions of operators. Of a refresh token the hash is kept, and of the one before: shown again, it ends the session.
create table operator_session (
  id uuid primary key,
  operator_id uuid not null references operator (id),
  -- Of the operator's row when it was opened: it ends with any right that the operator loses.
  gen integer not null,
  method text not null,
  scope text not null,
  family_sha256 text not null,
  refresh_sha256 text not null,
  previous_sha256 text,
  -- The present refresh token, for who shows the one before at the same moment as another.
  sealed_refresh_token text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  user_agent text not null,
  version integer not null default 1,
  mac text not null default ''
);
create index operator_session_operator_id on operator_session (operator_id, created_at desc);
create index operator_session_expires_at on operator_session (expires_at);
