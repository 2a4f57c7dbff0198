-- When the next reminder of a certificate's end is looked at, by the real clock; infinity: none is left. Null where an older
-- release issued it: the sweeper dates it as its end comes near.
alter table request add column next_reminder_at timestamptz;

-- How many days a certificate had left when its event was written.
alter table webhook_event add column days_left integer;

-- One row: up to when reminders have been given their share of the configured rate, by all copies together.
create table reminder_pace (
  is_only boolean primary key default true check (is_only),
  spent_until timestamptz not null default now()
);
insert into reminder_pace default values;
