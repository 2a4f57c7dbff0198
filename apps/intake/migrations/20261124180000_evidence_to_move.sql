-- without transaction
-- What is to be taken into the store, or from `incoming/` to `kept/`, when its request has ended.
create index concurrently if not exists evidence_to_move on evidence (id)
where content is not null or (object ->> 'store' = 's3' and object ->> 'area' = 'incoming');
