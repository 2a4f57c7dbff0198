-- After its end a code, or a link, is worth nothing and is neither sent nor sent again.
alter table message add column expires_at timestamptz;
-- Counts what operators sent again by hand: to a provider that drops repeats it must be a new SMS.
alter table message add column resends integer not null default 0;

-- Claims go round the templates of a channel, so that a thousand reminders do not hold up a code.
drop index message_due;
create index message_due_by_template on message (channel, template, due_at) where state = 'PENDING';
