-- Since when nothing is given out for the event any more: the notifier has purged what it was to deliver.
alter table webhook_event add column ended_at timestamptz;
