-- without transaction
-- In the order in which requests come: a new one goes to the end, whose pages are filled. At the beginning each page is split
-- in halves that stay so. Both are read in either direction.
create index concurrently if not exists request_newest on request (created_at, id);
