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
import { timeline } from './requests/request/registered/timeline-rights.ts';
import { requestsEntities, requestsGuardedTables, requestsShortLivedTables } from './requests/tables.ts';

/** The schema this service owns in the database, and what it keeps there. */
export const schema = 'intake';
/** Calls, workers and the sweeper share these connections; more would only queue inside PostgreSQL. */
export const poolSize = 12;
export const entities = [...accessEntities, ...requestsEntities];

/** Rows that give permissions: verified whenever they are read, and from time to time. */
export const guardedTables = [
  ...accessGuardedTables,
  approvalTable,
  aloneChangeTable,
  ...deskGuardedTables,
  ...requestsGuardedTables,
];

/**
 * Rows of minutes. They are looked at when they are used, and not from time to time: what has ended has lost its digest, and no
 * former key outlives them.
 */
const shortLivedTables = [...accessShortLivedTables, ...requestsShortLivedTables];

/** The guard of those rows; a row that fails stands in the operators' overview too. */
export function createIntakeRowGuard(
  keyring: Pick<Keyring, 'mac' | 'isMac' | 'isPresentMac'>,
  alarm: Pick<ServiceParts, 'logger' | 'metrics'>,
): RowGuard {
  return openRowGuard({ keyring, tables: [...guardedTables, ...shortLivedTables] }, alarm);
}

/** Before the files of `migrations/`. */
const baseMigration: Migration = { name: '20260101000000_base', sql: outboxSql };

/** Among the files of `migrations/`, by their names. */
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

/** The same. */
const streamMigration: Migration = { name: '20261123233000_stream_seen', sql: streamSeenSql };

/** The same. */
const approvalMigrations: readonly Migration[] = [
  { name: '20261122210000_approvals', sql: approvalTableSql },
  { name: '20261123001000_guarded_approvals', sql: guardedApprovalSql },
];

/** The same. */
const outboxMigration: Migration = { name: '20261126080000_outbox_message_id', sql: outboxMessageIdSql };

/** Table of the locks of this schema. */
const lockMigration: Migration = { name: '20261128070900_named_locks', sql: namedLockSql };

/** Rows that are not put back as they were. The same. */
const forwardMigrations: readonly Migration[] = [
  { name: '20261128102000_known_rows', sql: forwardRowsSql },
  { name: '20261128102100_forward_approvals', sql: forwardApprovalSql },
  { name: '20261128224000_counted_approvals', sql: countedApprovalSql },
  { name: '20261129232100_versioned_changes', sql: versionedChangesSql },
];

/** All that do not lie in `migrations/`. */
const packageMigrations: readonly Migration[] = [
  baseMigration,
  ...auditMigrations,
  ...approvalMigrations,
  streamMigration,
  outboxMigration,
  lockMigration,
  ...forwardMigrations,
];

/** The migrations of this release, and tables with fewer rights for the running service. */
export const releaseSchema = {
  schema,
  folder: new URL('../migrations/', import.meta.url),
  base: packageMigrations,
  audit: auditLog.table,
  appendOnly: [timeline],
  readOnly: ['data_upgrade', 'request_at_upgrade', 'link_at_upgrade', 'event_at_upgrade', 'known_row'],
};
