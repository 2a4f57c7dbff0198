-- without transaction
create index concurrently if not exists request_supersede_due_at on request (supersede_due_at)
  where supersede_due_at is not null;
