import { boundedOutboxSql } from '../bounds/bound-rows-sql.ts';
import type { Migration } from '../migrate/migration.ts';
import { streamSeenSql } from '../rebuild/stream-seen-sql.ts';
import { outboxMessageIdSql } from './outbox-sql.ts';

/** Migrations of an outbox whose table another migration creates. Never edit one: it has been applied. */
export const outboxMigrations: readonly Migration[] = [
  { name: '20261123233000_stream_seen', sql: streamSeenSql },
  { name: '20261126080000_outbox_message_id', sql: outboxMessageIdSql },
  { name: '20261130050100_bounds_of_outbox', sql: boundedOutboxSql },
];
