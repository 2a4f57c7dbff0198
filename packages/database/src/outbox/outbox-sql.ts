/**
 * The outbox table, for a service's first migration. Never edit: it is part of migrations that have run; a
 * change is a new fragment for a new migration.
 *
 * `message_id` is unique because JetStream swallows a second message of the same id inside its duplicate
 * window: better that the transaction fails than that the message vanishes. The checks hold for raw SQL too;
 * the NATS client would send a subject with a line break as protocol.
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
 * The same check of message ids as in the table's first migration, for one of its own after that. The length that stood in
 * the pattern was a count of 200 states: 90 µs for each id, once more when its row is marked as published, where this
 * takes one. `not valid`: the rows there were held against the former.
 */
export const outboxMessageIdSql = `
alter table outbox
  drop constraint outbox_message_id_check,
  add constraint outbox_message_id_check
    check (length(message_id) between 1 and 200 and message_id !~ '[^!-~]') not valid;
`;
