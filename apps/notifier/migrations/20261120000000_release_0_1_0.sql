-- Tables of release 0.1.0. A database of that release has them by these migrations:
-- replaces 20261120100000_deliveries_and_messages
-- replaces 20261121150000_endpoints_and_notices
-- replaces 20261121160000_message_channels
-- replaces 20261121180200_retention
-- replaces 20261122221600_no_stored_secrets
-- replaces 20261123091000_delivery_searches
-- replaces 20261123164000_operator_letters
-- replaces 20261123175000_delivery_days
-- replaces 20261123194500_receiver_words
-- replaces 20261123203500_advanced_days
-- replaces 20261123211000_receiver_words_by_delivery

-- A compact JWE (RFC 7516, section 7.1): a forgotten seal fails instead of storing plaintext.
create domain sealed as text constraint sealed_check check (VALUE ~ '^eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.');

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
  -- When generation confirmed that it need keep its own copy of a purged bundle no longer.
  generation_told_at timestamptz,
  constraint delivery_check check ((state = 'PENDING') = (due_at is not null))
);
create index delivery_due on delivery (destination, due_at) where state = 'PENDING';
create index delivery_purge on delivery (purge_at) where (purge_at is not null) and (purged_at is null);
create index delivery_by_state on delivery (state, id);
create index delivery_by_request on delivery (request_id, id);
create index delivery_generation_untold on delivery (purged_at) where has_bundle and (purged_at is not null) and (generation_told_at is null);
-- A partner's deliveries are found state by state, newest first: of one with a million that arrived, the ten that did not.
create index delivery_by_partner_and_state on delivery (partner_id, state, id);

-- Every attempt that came to an end, also one whose lease had passed to another worker. The fence is taken
-- anew by each claim, so that a number without a row is an attempt whose process died.
create table delivery_attempt (
  delivery_id uuid references delivery(id),
  fence integer,
  started_at timestamptz not null,
  duration_ms integer not null,
  status integer,
  outcome text not null,
  error text,
  -- How a receiver's answer to an attempt that it did not acknowledge begins, cleaned of what was sent to it.
  answer text,
  primary key (delivery_id, fence)
);
-- An erasure takes away what receivers said; few attempts have any of it.
create index delivery_attempt_answer on delivery_attempt (delivery_id) where answer is not null;

-- A mail to an applicant. What it says is asked of its owner for each attempt and never kept here.
create table message (
  id uuid primary key,
  request_id uuid,
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
  -- After its end a code, or a link, is worth nothing and is neither sent nor sent again.
  expires_at timestamptz,
  -- Counts what operators sent again by hand: to a provider that drops repeats it must be a new SMS.
  resends integer not null default 0,
  constraint message_check check ((state = 'PENDING') = (due_at is not null))
);
create index message_by_state on message (state, id);
create index message_by_request on message (request_id, id);
create index message_due_by_template on message (channel, template, due_at) where state = 'PENDING';

-- A destination of one partner that fails. There is no row for one that works, so that what works costs nothing;
-- the row goes with the first success.
create table endpoint (
  id uuid default gen_random_uuid() primary key,
  partner_id uuid not null,
  -- Scheme, host and port, as in delivery.
  destination text not null,
  -- FAILING: tried as ever. DISABLED: events are stored and not sent. TRIAL: enabled by hand, not yet seen working.
  state text not null default 'FAILING' check (state in ('FAILING', 'DISABLED', 'TRIAL')),
  -- The first failure after the last success.
  failing_since timestamptz not null default now(),
  -- From when the time to the disabling counts: later than that after a pause or an enabling.
  counted_from timestamptz not null default now(),
  -- To within ten minutes.
  last_failed_at timestamptz not null default now(),
  disabled_at timestamptz,
  constraint endpoint_check check ((state = 'DISABLED') = (disabled_at is not null)),
  constraint endpoint_partner_id_destination_key unique (partner_id, destination)
);

-- What partners and operators are told of a destination, by mail. Whom to is asked of intake for each attempt.
create table notice (
  id uuid primary key,
  kind text not null check (kind in ('webhook-disabled', 'webhook-recovered', 'operator-alert')),
  partner_id uuid not null,
  destination text not null,
  failing_since timestamptz not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'SENT', 'FAILED')),
  attempts integer not null default 0,
  round_attempts integer not null default 0,
  due_at timestamptz default now(),
  fence integer not null default 0,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  constraint notice_check check ((state = 'PENDING') = (due_at is not null))
);
create index notice_due on notice (due_at) where state = 'PENDING';
create index notice_by_partner on notice (partner_id, created_at);

-- Intake's last word on a request. What is held is not purged; an older word never replaces a newer one.
create table retention (
  request_id uuid primary key,
  version integer not null,
  held boolean not null,
  -- By how much the sandbox has advanced the clock of the request, of which this service was told.
  advanced_days integer not null default 0
);

-- How the webhooks of one day arrived: reports read days. Ids of deliveries are UUID v7 of the event, so a day is a stretch
-- of the primary key.
create table delivery_day (
  -- Of the event, where the deployment is.
  day date,
  partner_id uuid,
  webhooks integer not null,
  delivered integer not null,
  at_first_attempt integer not null,
  -- Counts by the logarithm of the milliseconds from event to delivery.
  times jsonb not null,
  primary key (day, partner_id)
);

create table delivery_day_computed (
  day date primary key,
  computed_at timestamptz not null
);
