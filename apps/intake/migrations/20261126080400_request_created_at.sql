-- without transaction
-- `request_newest` finds the same.
drop index concurrently if exists request_created_at;
