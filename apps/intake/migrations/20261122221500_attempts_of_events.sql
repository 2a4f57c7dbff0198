-- What bounds for how long secrets are given out to sign a webhook with: the attempts after the first, and the time.
alter table webhook_event add column attempts integer not null default 0;
-- When an operator had it sent again: it counts from then.
alter table webhook_event add column reopened_at timestamptz;
