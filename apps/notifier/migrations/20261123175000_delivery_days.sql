-- How the webhooks of one day arrived: reports read days. Ids of deliveries are UUID v7 of the event, so a day is a stretch
-- of the primary key.
create table delivery_day (
  -- Of the event, where the deployment is.
  day date not null,
  partner_id uuid not null,
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
