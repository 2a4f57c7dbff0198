-- Migrations since release 0.1.0, in the order in which they run.

-- migration 20261125110000_vacuum_of_large_tables
-- A delivery is written twice or more, and its body, the largest part, goes after it has arrived: that room is for the next ones.
alter table delivery set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);

-- migration 20261125231500_renewal_of
-- Reference of the request that the delivery's request renews, which a header of the call says.
alter table delivery add column renewal_of text;

-- migration 20261126080000_delivery_of_state
-- without transaction
-- What arrived, nearly all, stands last, where new entries fill pages; in the middle each page is split in halves that stay so.
create index concurrently if not exists delivery_of_state on delivery (state desc, id);

-- migration 20261126080100_delivery_by_state
-- without transaction
-- `delivery_of_state` finds the same.
drop index concurrently if exists delivery_by_state;

-- migration 20261126230000_acknowledged_attempts
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

-- migration 20261128112000_delivery_code
-- Code of the fault that an error or a refusal tells of, which a header of the call says. Without a value: of another event, or
-- stored by the release before.
alter table delivery add column code text;

-- migration 20261128172000_delivery_mac
-- MAC over event, request, partner, destination, headers and body of a delivery, by a key that the database never sees. Null in
-- rows of the release before: what they hold is not sent, and their body is asked of intake once more.
alter table delivery add column mac text;

-- migration 20261128221000_delivery_due_by_partner
-- without transaction
-- Leases go round the partners and then round each one's destinations. The release before leases by delivery_due, which the next one drops.
create index concurrently if not exists delivery_due_by_partner on delivery (partner_id, destination, due_at) where state = 'PENDING';

-- migration 20261129173000_message_partner
-- Messages take turns by partner. Null: one to an operator, or one that the release before has stored.
alter table message add column partner_id uuid;

-- migration 20261129173100_message_due_by_partner
-- without transaction
-- Leases go round the partners and then round the templates of each. The release before leases by message_due_by_template, which the next one drops.
create index concurrently if not exists message_due_by_partner on message (channel, coalesce(partner_id, '00000000-0000-0000-0000-000000000000'::uuid), template, due_at) where state = 'PENDING';

-- migration 20261129173200_message_by_end
-- without transaction
-- Finds the codes that end before they could arrive.
create index concurrently if not exists message_by_end on message (channel, template, expires_at) where state = 'PENDING';

-- migration 20261130003000_shown_rows_in_bounds
-- A time that no calendar has, or a text without end, would take away the whole page that it is shown on.
alter table delivery add constraint delivery_shown check (created_at between '0001-01-01' and '9999-12-31'
  and occurred_at between '0001-01-01' and '9999-12-31' and due_at between '0001-01-01' and '9999-12-31'
  and octet_length(url) <= 4096 and octet_length(type) <= 200 and octet_length(body) <= 4194304) not valid;
alter table message add constraint message_shown check (created_at between '0001-01-01' and '9999-12-31'
  and due_at between '0001-01-01' and '9999-12-31' and octet_length(template) <= 200) not valid;

-- migration 20261130004500_fences_in_step
-- One statement leases what is due of all: a row whose fence is at its end would keep all others.
create trigger delivery_fence_in_step before update on delivery for each row
  when (new.fence not between old.fence and old.fence + 1) execute function keep_fence_in_step();
create trigger message_fence_in_step before update on message for each row
  when (new.fence not between old.fence and old.fence + 1) execute function keep_fence_in_step();
create trigger notice_fence_in_step before update on notice for each row
  when (new.fence not between old.fence and old.fence + 1) execute function keep_fence_in_step();

-- migration 20261130050300_bounds_of_rows
-- Bounds of everything that the service's role writes.
select bound_rows('delivery', '{"body": 4194304, "destination": 4096, "traceparent": 1000, "code": 200, "renewal_of": 4096,
  "last_error": 16384, "mac": 1000}');
select bound_rows('delivery_attempt', '{"answer": 16384, "error": 16384}');
select bound_rows('delivery_day');
select bound_rows('delivery_day_computed');
select bound_rows('endpoint', '{"destination": 4096}');
select bound_rows('message', '{"recipient_masked": 4096, "last_error": 16384}');
select bound_rows('notice', '{"destination": 4096, "last_error": 16384}');
select bound_rows('retention', '{"advanced_days": 100000}');
select step_rows('delivery', 'fence', 'attempts', 'round_attempts');
select step_rows('message', 'fence', 'attempts', 'round_attempts', 'resends');
select step_rows('notice', 'fence', 'attempts', 'round_attempts');
