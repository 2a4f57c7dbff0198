import {
  aloneChangeTable,
  approvalTable,
  approvalTableSql,
  auditChainSql,
  auditEntryIdSql,
  auditSearchSql,
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
  sealedSql,
  smallAuditSql,
  streamSeenSql,
  versionedChangesSql,
} from '@rubrica/database';
import type { Migration } from '@rubrica/database/migrate';
import { auditLog } from '../audit-log.ts';
import { Certificate } from '../certificate/certificate.entity.ts';
import { certificateTable, statusEntryTable } from '../certificate/status-record.ts';
import { signedListTable } from '../crl/signed-lists.ts';
import { ocspAnswerTable } from '../ocsp/ocsp-ledger.ts';

/** Database schema that this service owns. */
export const schema = 'generation';
export const entities = [Certificate];

/** Tables whose rows grant permissions; all are checked regularly. */
export const checkedTables = [approvalTable];

/**
 * All guarded tables. Certificates, answers and lists are too many for the regular check, and are checked when read.
 */
export const guardedTables = [
  ...checkedTables,
  aloneChangeTable,
  certificateTable,
  statusEntryTable,
  ocspAnswerTable,
  signedListTable,
];

/** First migration of every service's schema, before the files of `migrations/`. */
const baseMigration: Migration = {
  name: '20260101000000_base',
  sql: `${outboxSql}${sealedSql}`,
};

/** Audit migrations. They are applied in the order of their names, together with the files of `migrations/`. */
const auditMigrations: readonly Migration[] = [
  { name: '20261121200000_audit_chain', sql: auditChainSql(auditLog.table) },
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

/** Migration of approvals, ordered by its name as well. */
const approvalMigration: Migration = {
  name: '20261123001000_approvals',
  sql: `${approvalTableSql}${guardedApprovalSql}`,
};

/** Migration of seen stream messages, ordered by its name as well. */
const streamMigration: Migration = { name: '20261123233000_stream_seen', sql: streamSeenSql };

/** Migration of outbox message ids, ordered by its name as well. */
const outboxMigration: Migration = { name: '20261126080000_outbox_message_id', sql: outboxMessageIdSql };

/** Migration of the table for locks. */
const lockMigration: Migration = { name: '20261128070900_named_locks', sql: namedLockSql };

/** Migrations that prevent a row from being restored to an earlier state. */
const forwardMigrations: readonly Migration[] = [
  { name: '20261128102000_known_rows', sql: forwardRowsSql },
  { name: '20261128102100_forward_approvals', sql: forwardApprovalSql },
  { name: '20261128224000_counted_approvals', sql: countedApprovalSql },
  { name: '20261129232100_versioned_changes', sql: versionedChangesSql },
];

/** Migrations that are not files in `migrations/`. */
const packageMigrations: readonly Migration[] = [
  baseMigration,
  ...auditMigrations,
  approvalMigration,
  streamMigration,
  outboxMigration,
  lockMigration,
  ...forwardMigrations,
];

/** Migrations of this release, and the tables on which the running service has fewer rights. */
export const releaseSchema = {
  schema,
  folder: new URL('../../migrations/', import.meta.url),
  base: packageMigrations,
  audit: auditLog.table,
  readOnly: ['known_row'],
};
