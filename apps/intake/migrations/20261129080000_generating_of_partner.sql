-- without transaction
-- Counts what a partner has under way at generation; finished requests are not in it.
create index concurrently if not exists request_generating on request (partner_id) where status = 'GENERATING';
