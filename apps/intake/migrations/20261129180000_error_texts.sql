alter table request add column error_text jsonb;
alter table evidence add column error_text jsonb;
