export { emit } from './emit.ts';
export { type OutboxEvent, type OutboxParams, outboxParams } from './outbox-event.ts';
export { emitting } from './outbox-insert.ts';
export { outboxMigrations } from './outbox-migrations.ts';
export { outboxSql } from './outbox-sql.ts';
