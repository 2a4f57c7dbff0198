-- without transaction
-- Issued by an older release: empty but for those.
create index concurrently if not exists request_undated_reminders on request (not_after)
  where next_reminder_at is null and status = 'GENERATED';
