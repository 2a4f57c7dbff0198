-- A link ends with the session that asked for it. Links of sessions that are gone open nothing, so no foreign key is needed.
delete from evidence_link;
alter table evidence_link add column session_id uuid;
