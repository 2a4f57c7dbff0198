-- MACs of rows that are named by other columns than an id. Null: written by the release before, and good for minutes.
alter table evidence_link add column mac text;
alter table liveness_session add column mac text;
