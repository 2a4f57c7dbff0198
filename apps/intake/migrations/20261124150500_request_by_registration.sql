-- without transaction
-- What `count_quota` counts, and what a month's use is read from.
create index concurrently if not exists request_by_registration on request (partner_id, created_at);
