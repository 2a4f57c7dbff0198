-- without transaction
-- What still rests in its row: all that the mover looks through.
create index concurrently if not exists evidence_inline on evidence (id) where content is not null;
