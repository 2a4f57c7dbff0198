-- A compact JWE (RFC 7516, section 7.1): a forgotten seal fails instead of storing plaintext.
create domain sealed as text constraint sealed_check
  check (value ~ '^eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.');

-- A delivery is one webhook event on its way to one address. Its id is the event's id and the webhook-id of
-- every attempt; its body never changes until it is purged.
create table delivery (
  id uuid primary key,
  partner_id uuid not null,
  request_id uuid not null,
  type text not null,
  url text not null,
  -- Scheme, host and port of the url: what concurrency is bounded by.
  destination text not null,
  occurred_at timestamptz not null,
  -- What the partner's receiver verifies with, newest first.
  secrets sealed[] not null,
  -- Null once purged.
  body sealed,
  -- The body holds a certificate and perhaps its password, and must not be kept for long.
  has_bundle boolean not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'EXHAUSTED', 'STOPPED')),
  attempts integer not null default 0,
  -- Attempts since the last manual resend: the place in the schedule.
  round_attempts integer not null default 0,
  -- While pending: when somebody must take it next, which is the lease's end while an attempt is under way.
  due_at timestamptz,
  fence integer not null default 0,
  last_status integer,
  last_error text,
  delivered_at timestamptz,
  purge_at timestamptz,
  purged_at timestamptz,
  -- W3C trace context of the event, so that attempts of later days belong to the same trace.
  traceparent text,
  created_at timestamptz not null default now(),
  check ((state = 'PENDING') = (due_at is not null))
);
create index delivery_due on delivery (destination, due_at) where state = 'PENDING';
create index delivery_purge on delivery (purge_at) where purge_at is not null and purged_at is null;
create index delivery_by_state on delivery (state, id);
create index delivery_by_partner on delivery (partner_id, id);
create index delivery_by_request on delivery (request_id, id);

-- Every attempt that came to an end, also one whose lease had passed to another worker. The fence is taken
-- anew by each claim, so that a number without a row is an attempt whose process died.
create table delivery_attempt (
  delivery_id uuid not null references delivery (id),
  fence integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status integer,
  outcome text not null,
  error text,
  primary key (delivery_id, fence)
);

-- A mail to an applicant. What it says is asked of its owner for each attempt and never kept here.
create table message (
  id uuid primary key,
  request_id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  template text not null,
  recipient_masked text not null,
  state text not null check (state in ('PENDING', 'SENT', 'FAILED', 'SUPERSEDED')),
  attempts integer not null default 0,
  round_attempts integer not null default 0,
  due_at timestamptz,
  fence integer not null default 0,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  check ((state = 'PENDING') = (due_at is not null))
);
create index message_due on message (due_at) where state = 'PENDING';
create index message_by_state on message (state, id);
create index message_by_request on message (request_id, id);
