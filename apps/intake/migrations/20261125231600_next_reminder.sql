-- without transaction
create index concurrently if not exists request_next_reminder_at on request (next_reminder_at)
  where next_reminder_at < 'infinity';
