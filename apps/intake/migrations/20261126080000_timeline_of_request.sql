-- without transaction
-- Steps are read by request alone. Entries of the same request are kept as one, which they are not where each has a number too.
create index concurrently if not exists timeline_of_request on timeline (request_id);
