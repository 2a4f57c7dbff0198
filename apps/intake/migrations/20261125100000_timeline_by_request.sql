-- without transaction
-- Steps are read by request alone: one index in place of the key and of the index by request.
create unique index concurrently if not exists timeline_by_request on timeline (request_id, id);
