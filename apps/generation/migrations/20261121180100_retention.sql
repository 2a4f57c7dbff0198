-- The holder may still fetch the file until then, whatever else was delivered.
alter table bundle add column keep_until timestamptz;

-- Intake's last word on a request. What is held is not purged; an older word never replaces a newer one.
create table retention (
  request_id uuid primary key,
  version integer not null,
  held boolean not null
);
