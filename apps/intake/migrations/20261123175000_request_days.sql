-- What became of the requests of one day: reports read days, and a month costs the same however many requests it has.
create table request_day (
  -- Of registration, where the deployment is.
  day date not null,
  partner_id uuid not null references partner (id),
  family text not null,
  registered integer not null,
  issued integer not null,
  refused integer not null,
  cancelled integer not null,
  expired integer not null,
  -- By kind (`certificate`, `review`): counts by the logarithm of the milliseconds.
  times jsonb not null,
  primary key (day, partner_id, family)
);
create index request_day_partner_id on request_day (partner_id, day);

create table request_day_computed (
  day date primary key,
  computed_at timestamptz not null
);
