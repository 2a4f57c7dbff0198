-- What a code has brought: one row per right that was given with a link, until it is over. Its secret is kept as a hash.

create table claim_right (
  secret_sha256 text primary key,
  request_id uuid not null references request (id),
  -- The link's: a right dies with it.
  token_sha256 text not null,
  purpose text not null check (purpose in ('claim', 'download')),
  expires_at timestamptz not null
);
create index claim_right_request_id on claim_right (request_id);
create index claim_right_expires_at on claim_right (expires_at);
