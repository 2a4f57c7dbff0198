-- By how much the sandbox has advanced the clock of the request, of which this service was told.
alter table retention add column advanced_days integer not null default 0;
