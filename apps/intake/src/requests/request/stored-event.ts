import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import { wasErasedSql } from './was-erased-sql.ts';

const fields = ['requestId', 'type', 'message', 'code', 'daysLeft', 'occurredAt'] as const;
const columns = ['id', 'mac', 'request_id', 'type', 'message', 'code', 'days_left', 'occurred_at'];

/**
 * Events with their request and their content for the partner. They are written once and verified at
 * delivery, because most are never read again.
 */
export const webhookEventTable = guardedSqlTable('webhook_event', fields, {
  check: 'former-keys',
  source: {
    table: 'webhook_event',
    key: 'id',
    keyType: 'uuid',
    macColumn: 'mac',
    row: `jsonb_build_object('version', 1, ${guardedColumns('webhook_event')})`,
    // An erasure has taken the text of its events.
    join: 'join request on request.id = webhook_event.request_id',
    where: `not ${wasErasedSql('request')}`,
  },
});

function guardedColumns(event: string): string {
  return columns.map((column) => `'${column}', ${event}.${column}`).join(', ');
}

/** Event that is about to be written. */
export interface NewEvent {
  readonly id: string;
  readonly requestId: string;
  readonly type: string;
  readonly message?: string | null;
  readonly code?: string | null;
  readonly daysLeft?: number | null;
  readonly occurredAt: Date;
}

/** Computes the MAC of an event's row. */
export function protectEvent(rows: Pick<RowGuard, 'protect'>, event: NewEvent): string {
  return rows.protect('webhook_event', { message: null, code: null, daysLeft: null, ...event }).mac;
}

/** Event as `storedEventSql` reads it. */
export type StoredEvent = Readonly<Record<string, unknown>>;

/**
 * Returns SQL of the guarded columns of a row of `webhook_event`. Events of the previous release have no MAC.
 * They count while copies of it run, and later as the upgrade found them.
 * @param event name of the row, never input
 */
export function storedEventSql(event: string): string {
  return `jsonb_build_object('version', 1, ${guardedColumns(event)},
    'isFormer', ${event}.mac is null and (exists (select from data_upgrade where now() < mixed_until) or exists (
      select from event_at_upgrade where event_id = ${event}.id and digest = digest_event(${event}))))`;
}

/** Returns whether this service wrote an event, and raises the alarm if not. */
export function isEventAuthentic(rows: Pick<RowGuard, 'isIntact'>, stored: StoredEvent): boolean {
  return stored.isFormer === true || rows.isIntact('webhook_event', stored);
}
