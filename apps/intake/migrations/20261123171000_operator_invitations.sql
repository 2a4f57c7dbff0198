-- Who is invited has no password yet, and who gets new factors has none any more.
alter table operator alter column password_hash drop not null;

-- A link by which an operator chooses a password, once. Of its token the hash is kept; a newer link takes its place.
create table operator_invitation (
  id uuid primary key,
  operator_id uuid not null unique references operator (id),
  kind text not null,
  token_sha256 text not null unique,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  version integer not null default 1,
  mac text not null default ''
);

-- E-mails to operators, which the notifier fetches by id. Their links are sealed to it, and of no use after `good_until`.
create table operator_letter (
  id uuid primary key,
  operator_id uuid not null references operator (id),
  template text not null,
  language text not null,
  recipient text not null,
  caused_by text not null,
  sealed_secret text,
  good_until timestamptz not null,
  created_at timestamptz not null
);
create index operator_letter_operator_id on operator_letter (operator_id);
create index operator_letter_good_until on operator_letter (good_until);
