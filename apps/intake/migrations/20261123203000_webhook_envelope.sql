-- Whether the bodies of a partner's webhooks say their type and time themselves.
alter table partner add column envelope boolean not null default false;
-- The code of the error or refusal that an event tells of; null in older rows and where it tells of none.
alter table webhook_event add column code text;
