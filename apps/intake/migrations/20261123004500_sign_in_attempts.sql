-- Passwords that were tried at the operators' door and were not right, or not judged yet: of an account from an address,
-- of an address, of an account. The key is a hash, because what is typed as an account may be a password.
create table sign_in_attempt (
  key text primary key,
  count integer not null,
  ends_at timestamptz not null,
  waits_until timestamptz not null
);
create index sign_in_attempt_ends_at on sign_in_attempt (ends_at);
