import {
  aloneChangeTable,
  approvalTable,
  approvalTableSql,
  auditChainSql,
  auditEntryIdSql,
  auditSearchSql,
  auditTableSql,
  boundedAuditSql,
  countedApprovalSql,
  fenceInStepSql,
  forwardApprovalSql,
  forwardRowsSql,
  guardedApprovalSql,
  guardedAuditSql,
  namedLockSql,
  outboxMessageIdSql,
  outboxSql,
  type RowGuard,
  smallAuditSql,
  streamSeenSql,
  versionedChangesSql,
} from '@rubrica/database';
import type { Migration } from '@rubrica/database/migrate';
import type { Keyring, ServiceParts } from '@rubrica/process';
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
  aloneChangeTable,
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

/** Runs before the files of `migrations/`. */
const baseMigration: Migration = { name: '20260101000000_base', sql: outboxSql };

/** Run among the files of `migrations/`, in the order of their names. */
const auditMigrations: readonly Migration[] = [
  { name: '20261121200000_audit_chain', sql: `${auditTableSql}${auditChainSql(auditLog.table)}` },
  { name: '20261123090000_audit_search', sql: auditSearchSql(auditLog) },
  { name: '20261128171000_guarded_audit', sql: guardedAuditSql(auditLog.table) },
  {
    name: '20261128171100_audit_entry_id',
    sql: auditEntryIdSql(auditLog.table),
    withoutTransaction: true,
  },
  { name: '20261129081000_bounded_audit', sql: boundedAuditSql(auditLog.table) },
  { name: '20261129095600_fence_in_step', sql: fenceInStepSql },
  { name: '20261129232000_small_audit', sql: smallAuditSql(auditLog.table) },
];

/** Runs among those files too. */
const streamMigration: Migration = { name: '20261123233000_stream_seen', sql: streamSeenSql };

/** Run among those files too. */
const approvalMigrations: readonly Migration[] = [
  { name: '20261122210000_approvals', sql: approvalTableSql },
  { name: '20261123001000_guarded_approvals', sql: guardedApprovalSql },
];

/** Runs among those files too. */
const outboxMigration: Migration = { name: '20261126080000_outbox_message_id', sql: outboxMessageIdSql };

/** Creates the table of this schema's locks. */
const lockMigration: Migration = { name: '20261128070900_named_locks', sql: namedLockSql };

/** Guard rows against being restored to an earlier state. They run among those files too. */
const forwardMigrations: readonly Migration[] = [
  { name: '20261128102000_known_rows', sql: forwardRowsSql },
  { name: '20261128102100_forward_approvals', sql: forwardApprovalSql },
  { name: '20261128224000_counted_approvals', sql: countedApprovalSql },
  { name: '20261129232100_versioned_changes', sql: versionedChangesSql },
];

/** All migrations outside `migrations/`. */
const packageMigrations: readonly Migration[] = [
  baseMigration,
  ...auditMigrations,
  ...approvalMigrations,
  streamMigration,
  outboxMigration,
  lockMigration,
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
