-- How far the mover is: one row. It takes evidence out of its rows into the evidence store, in the order of ids.
create table evidence_move (
  id integer primary key check (id = 1),
  last_id uuid not null default '00000000-0000-0000-0000-000000000000',
  lease_until timestamptz,
  fence integer not null default 0
);
insert into evidence_move (id) values (1);

-- What was moved leaves room that the next files take: vacuum comes after a fiftieth, not after a fifth of the table.
alter table evidence set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
