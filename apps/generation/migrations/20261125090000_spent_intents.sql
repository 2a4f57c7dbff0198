-- The bytes that were to be signed are in the certificate once it stands, and the audit entry has their digest: a number keeps
-- them only until then. `not valid`: the rows there are need not be read, and what is written is held against it all the same.
alter table serial_number drop constraint serial_number_intent,
  add constraint serial_number_intent check (state <> 'INTENDED' or tbs is not null) not valid;

-- How far the sweeper is that clears what was kept before. It walks twice, as copies of the release before write on while the
-- first of this one clear; then the row goes.
create table spent_intents (
  walks_left integer primary key default 2,
  through text not null default '',
  due_at timestamptz not null default now()
);
insert into spent_intents default values;
