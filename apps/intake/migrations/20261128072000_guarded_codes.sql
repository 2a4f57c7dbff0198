-- A code or a right counts for its MAC, by a key that the database never sees. What is written without one is over: codes of the
-- release before too, which are asked for once more.
alter table claim_code add column version integer not null default 1, add column mac text not null default '';
alter table claim_right
  add column id uuid,
  add column version integer not null default 1,
  add column mac text not null default '';
