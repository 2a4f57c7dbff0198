-- The claim: codes, what was accepted, reminders. The hash of a request's link stays when the request ends, so that
-- the link can say what became of it; only a newer link takes its place.

alter table request
  -- A holder's certificate may be downloaded up to here.
  add column download_until timestamptz,
  -- The holder's, since the claim page was first used.
  add column language text not null default 'es' check (language in ('es', 'en'));

-- Up to here the link or code in a message is good for something.
alter table message add column secret_until timestamptz;
create index message_secret_until on message (secret_until) where sealed_secret is not null;

-- One row per code that was sent, named as the message that carried it. Without a digest it is over.
create table claim_code (
  id uuid primary key,
  request_id uuid not null references request (id),
  purpose text not null check (purpose in ('claim', 'download')),
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  -- HMAC-SHA-256 of the code under a key of its own, which is sealed to intake.
  digest text,
  sealed_key text,
  wrong_tries integer not null default 0 check (wrong_tries between 0 and 5),
  used_at timestamptz
);
create index claim_code_request_id on claim_code (request_id, sent_at);

create table terms_acceptance (
  id bigint generated always as identity primary key,
  request_id uuid not null references request (id),
  terms_id uuid not null,
  terms_version text not null,
  at timestamptz not null,
  language text not null,
  remote_address text not null,
  user_agent text
);
create index terms_acceptance_request_id on terms_acceptance (request_id);

-- When the holder is reminded of a link that waits; made with the link, done once whether a mail went out or not.
create table claim_reminder (
  request_id uuid not null references request (id),
  due_at timestamptz not null,
  done_at timestamptz,
  primary key (request_id, due_at)
);
create index claim_reminder_due_at on claim_reminder (due_at) where done_at is null;
