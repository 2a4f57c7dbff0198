import { approvalTableSql, forwardMigrations, guardedApprovalSql } from '@rubrica/approvals/migrations';
import { singleChangeTable } from '@rubrica/approvals/single-changes';
import { approvalTable } from '@rubrica/approvals/waiting-change';
import { auditMigrations } from '@rubrica/audit/migrations';
import type { RowGuard } from '@rubrica/database/guarded';
import { outboxMigrations, outboxSql } from '@rubrica/database/outbox';
import type { Keyring } from '@rubrica/process/keyring';
import type { ServiceParts } from '@rubrica/process/runner';
import { openRowGuard } from '@rubrica/wiring/database';
import { accessEntities, accessGuardedTables, accessShortLivedTables } from './access/tables.ts';
import { auditLog } from './base/audit-log.ts';
import { deskGuardedTables } from './desk/tables.ts';
import { timeline } from './requests/request/registered/timeline-permissions.ts';
import { requestsEntities, requestsGuardedTables, requestsShortLivedTables } from './requests/tables.ts';

/** Database schema that this service owns. */
export const schema = 'intake';
/**
 * Maximum number of connections, shared by calls, workers and the sweeper. More would only queue inside
 * PostgreSQL.
 */
export const poolSize = 12;
export const entities = [...accessEntities, ...requestsEntities];

/** Tables whose rows give permissions. Rows are verified whenever they are read, and periodically. */
export const guardedTables = [
  ...accessGuardedTables,
  approvalTable,
  singleChangeTable,
  ...deskGuardedTables,
  ...requestsGuardedTables,
];

/**
 * Tables whose rows live for minutes. Rows are checked on use and not periodically: an ended row has lost its
 * digest. No row outlives a former key, so none needs a new MAC.
 */
const shortLivedTables = [...accessShortLivedTables, ...requestsShortLivedTables];

/** Creates the guard of these tables. A row that fails its check also shows in the operators' overview. */
export function createIntakeRowGuard(
  keyring: Pick<Keyring, 'mac' | 'isMac' | 'isPresentMac'>,
  alarm: Pick<ServiceParts, 'logger' | 'metrics'>,
): RowGuard {
  return openRowGuard({ keyring, tables: [...guardedTables, ...shortLivedTables] }, alarm);
}

/** Migrations that are not files in `migrations/`. */
const packageMigrations = [
  { name: '20260101000000_base', sql: outboxSql },
  ...auditMigrations(auditLog),
  ...outboxMigrations,
  { name: '20261122210000_approvals', sql: approvalTableSql },
  { name: '20261123001000_guarded_approvals', sql: guardedApprovalSql },
  ...forwardMigrations,
];

/** Migrations of this release, and tables on which the running service has fewer rights. */
export const releaseSchema = {
  schema,
  folder: new URL('../migrations/', import.meta.url),
  base: packageMigrations,
  audit: auditLog.table,
  appendOnly: [timeline],
  readOnly: ['data_upgrade', 'request_at_upgrade', 'link_at_upgrade', 'event_at_upgrade', 'known_row'],
};
