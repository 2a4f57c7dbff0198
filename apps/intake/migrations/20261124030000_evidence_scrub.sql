-- How far the scrub is: one row. It reads all evidence in the order of its ids, over as many days as the setting says.
create table evidence_scrub (
  id integer primary key check (id = 1),
  last_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Of the present round; of the next one where that is to come.
  began_at timestamptz not null default now(),
  -- When the evidence after `last_id` is to be read.
  due_at timestamptz not null default now(),
  read bigint not null default 0,
  -- What was found on this day, where the deployment is.
  day date not null default current_date,
  sound bigint not null default 0,
  missing bigint not null default 0,
  damaged bigint not null default 0,
  unopenable bigint not null default 0,
  bytes bigint not null default 0,
  lease_until timestamptz,
  fence integer not null default 0
);
insert into evidence_scrub (id) values (1);

-- Evidence that was not sound when it was read last.
create table evidence_fault (
  evidence_id uuid primary key references evidence (id) on delete cascade,
  outcome text not null,
  -- When it was found first, and on which day last.
  found_at timestamptz not null,
  day date not null
);
create index evidence_fault_found_at on evidence_fault (found_at);
create index evidence_fault_day on evidence_fault (day);
