-- What a passkey is asked to sign; the row goes when it was signed, so that no answer counts twice.
create table operator_challenge (
  challenge text primary key,
  -- Who enrols a passkey by it; nobody yet where one signs in.
  operator_id uuid references operator (id),
  expires_at timestamptz not null
);
create index operator_challenge_expires_at on operator_challenge (expires_at);
create index operator_challenge_operator_id on operator_challenge (operator_id);
