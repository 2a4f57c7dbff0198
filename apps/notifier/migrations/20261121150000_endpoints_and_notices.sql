-- A destination of one partner that fails. There is no row for one that works, so that what works costs nothing;
-- the row goes with the first success.
create table endpoint (
  id uuid primary key default gen_random_uuid(),
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
  unique (partner_id, destination),
  check ((state = 'DISABLED') = (disabled_at is not null))
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
  check ((state = 'PENDING') = (due_at is not null))
);
create index notice_due on notice (due_at) where state = 'PENDING';
create index notice_by_partner on notice (partner_id, created_at);
