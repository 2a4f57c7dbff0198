/**
 * Outbox table, for a service's first migration. Never edit, because it is part of migrations that have run; a change
 * is a new fragment for a new migration.
 *
 * `message_id` is unique because JetStream drops a second message of the same id within its duplicate window: the
 * transaction should fail rather than the message vanish. The checks apply to raw SQL too; the NATS client would send a
 * subject with a line break as protocol.
 */
export const outboxSql = `
create table outbox (
  id bigint generated always as identity primary key,
  message_id text not null constraint outbox_message_id_check check (message_id ~ '^[!-~]{1,200}$'),
  subject text not null constraint outbox_subject_check
    check (length(subject) <= 200 and subject ~ '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$'),
  payload jsonb not null,
  headers jsonb not null default '{}' constraint outbox_headers_check check (jsonb_typeof(headers) = 'object'),
  created_at timestamptz not null default now(),
  published_at timestamptz,
  publish_count integer not null default 0,
  constraint outbox_message_id_key unique (message_id)
);
create index outbox_unpublished on outbox (id) where published_at is null;
alter table outbox set (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 1
);
`;

/**
 * Replaces the check of message ids of the table's first migration, for a separate later migration. The length in the
 * former pattern was a count of 200 states. That took 90 µs for each id, and again when its row was marked as
 * published; this check takes one. `not valid`: existing rows passed the former check.
 */
export const outboxMessageIdSql = `
alter table outbox
  drop constraint outbox_message_id_check,
  add constraint outbox_message_id_check
    check (length(message_id) between 1 and 200 and message_id !~ '[^!-~]') not valid;
`;
