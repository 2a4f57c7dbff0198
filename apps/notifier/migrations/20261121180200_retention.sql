-- Intake's last word on a request. What is held is not purged; an older word never replaces a newer one.
create table retention (
  request_id uuid primary key,
  version integer not null,
  held boolean not null
);

-- When generation confirmed that it need keep its own copy of a purged bundle no longer.
alter table delivery add column generation_told_at timestamptz;
create index delivery_generation_untold on delivery (purged_at)
  where has_bundle and purged_at is not null and generation_told_at is null;
