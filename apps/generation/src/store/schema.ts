import { approvalMigrations, forwardMigrations } from '@rubrica/approvals/migrations';
import { singleChangeTable } from '@rubrica/approvals/single-changes';
import { approvalTable } from '@rubrica/approvals/waiting-change';
import { auditMigrations } from '@rubrica/audit/migrations';
import { outboxMigrations, outboxSql } from '@rubrica/database/outbox';
import { sealedSql } from '@rubrica/database/sealed';
import { auditLog } from '../certificate/audit-log.ts';
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
  singleChangeTable,
  certificateTable,
  statusEntryTable,
  ocspAnswerTable,
  signedListTable,
];

/** Migrations that are not files in `migrations/`. */
const packageMigrations = [
  { name: '20260101000000_base', sql: `${outboxSql}${sealedSql}` },
  ...auditMigrations(auditLog, ''),
  ...outboxMigrations,
  ...approvalMigrations,
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
