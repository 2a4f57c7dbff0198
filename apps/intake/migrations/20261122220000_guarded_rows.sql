-- Rows that give rights carry a MAC by a key that the database never sees. What is written without one counts as disabled.
alter table partner add column version integer not null default 1, add column mac text not null default '';
alter table operator add column version integer not null default 1, add column mac text not null default '';
alter table partner_key add column version integer not null default 1, add column mac text not null default '';
alter table api_token add column version integer not null default 1, add column mac text not null default '';
alter table webhook_secret add column version integer not null default 1, add column mac text not null default '';
