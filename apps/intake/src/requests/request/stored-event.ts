import { guardedSqlTable, type RowGuard } from '@rubrica/database';

/**
 * Events with their request and what they tell its partner. Written once; read where they are delivered, as most are never
 * read again.
 */
export const webhookEventTable = guardedSqlTable(
  'webhook_event',
  ['requestId', 'type', 'message', 'code', 'daysLeft', 'occurredAt'],
  { check: 'none' },
);

/** An event that is about to be written. */
export interface NewEvent {
  readonly id: string;
  readonly requestId: string;
  readonly type: string;
  readonly message?: string | null;
  readonly code?: string | null;
  readonly daysLeft?: number | null;
  readonly occurredAt: Date;
}

/** MAC of the row of an event. */
export function protectEvent(rows: Pick<RowGuard, 'protect'>, event: NewEvent): string {
  return rows.protect('webhook_event', { message: null, code: null, daysLeft: null, ...event }).mac;
}

/** An event as `storedEventSql` reads it. */
export type StoredEvent = Readonly<Record<string, unknown>>;

const columns = ['id', 'mac', ...webhookEventTable.fields.map(({ column }) => column)];

/**
 * SQL: the guarded columns of a row of `webhook_event`. Events of the release before have no MAC. They count while copies of it
 * run, and later as the upgrade found them.
 * @param event name of the row, never input
 */
export function storedEventSql(event: string): string {
  return `jsonb_build_object('version', 1, ${columns.map((column) => `'${column}', ${event}.${column}`).join(', ')},
    'isFormer', ${event}.mac is null and (exists (select from data_upgrade where now() < mixed_until) or exists (
      select from event_at_upgrade where event_id = ${event}.id and digest = digest_event(${event}))))`;
}

/** Tells whether an event is as this service wrote it, and raises the alarm if it is not. */
export function isEventAuthentic(rows: Pick<RowGuard, 'isIntact'>, stored: StoredEvent): boolean {
  return stored.isFormer === true || rows.isIntact('webhook_event', stored);
}
