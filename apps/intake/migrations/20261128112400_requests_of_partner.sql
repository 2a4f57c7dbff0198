-- without transaction
-- A partner's own list, newest first, in the order in which requests come: pages are filled, not split in halves.
create index concurrently if not exists request_of_partner on request (partner_id, created_at, id);
