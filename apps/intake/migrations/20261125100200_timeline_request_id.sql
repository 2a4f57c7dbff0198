-- without transaction
-- The key finds the same.
drop index concurrently if exists timeline_request_id;
