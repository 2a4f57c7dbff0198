-- without transaction
-- Finds the codes that end before they could arrive.
create index concurrently if not exists message_by_end on message (channel, template, expires_at) where state = 'PENDING';
