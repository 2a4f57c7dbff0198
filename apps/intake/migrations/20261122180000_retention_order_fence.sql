-- Orders are leased as everything else is: who confirms late, after another took them over, confirms nothing.
alter table retention_order add column fence integer not null default 0;
