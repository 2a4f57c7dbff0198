-- The API flow: its partner takes a request from step to step, within a day.
-- A request with such a time is never woken: it waits for its partner.
alter table request add column expires_at timestamptz;

-- One row per identity validation that came to a result; calls that nobody could answer leave none.
create table identity_attempt (
  request_id uuid not null references request (id),
  -- Counts all that came to a result; of those that were rejected there are at most three.
  attempt integer not null check (attempt between 1 and 3),
  -- Of the gateway: the same call made again is answered with the same row.
  call_id uuid not null unique,
  at timestamptz not null,
  result text not null check (result in ('APPROVED', 'REJECTED')),
  reasons jsonb not null default '[]',
  -- Under which rule a person has to look once the other steps have passed; null: none.
  review jsonb,
  primary key (request_id, attempt)
);

-- One row per proof of life that was begun. Without a status it is still open.
create table liveness_session (
  request_id uuid not null references request (id),
  attempt integer not null check (attempt between 1 and 3),
  session_id text not null unique,
  -- Where the applicant proves it, sealed to the gateway: nobody else hands it on.
  sealed_url text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the applicant was done with the sandbox's page.
  done_at timestamptz,
  status text check (status in ('SUCCEEDED', 'FAILED', 'EXPIRED')),
  ended_at timestamptz,
  liveness_confidence double precision,
  face_match_confidence double precision,
  reasons jsonb not null default '[]',
  primary key (request_id, attempt)
);
