-- The attempt that a receiver acknowledged first stands in its delivery, which that attempt has ended: most deliveries
-- need no row of an attempt. It began so many milliseconds before delivered_at.
alter table delivery add column acknowledged_fence integer, add column acknowledged_ms integer,
  add column acknowledged_status smallint;

-- Every attempt that came to an end, wherever it stands.
create view attempt as
select delivery_id, fence, started_at, duration_ms, status, outcome, error, answer from delivery_attempt
union all
select id, acknowledged_fence, delivered_at - acknowledged_ms * interval '1 millisecond', acknowledged_ms, acknowledged_status,
  'ACKNOWLEDGED', null, null
from delivery where acknowledged_fence is not null;
