import { approvalMigrations, forwardMigrations } from '@rubrica/approvals/migrations';
import { singleChangeTable } from '@rubrica/approvals/single-changes';
import { approvalTable } from '@rubrica/approvals/waiting-change';
import { auditMigrations } from '@rubrica/audit/migrations';
import { auditLog } from './audit-log.ts';
import { termsVersionTable } from './guarded-version.ts';
import { TermsVersion } from './terms-version.entity.ts';

/** Database schema that this service owns. */
export const schema = 'terms';
export const entities = [TermsVersion];

/** Tables whose rows grant permissions or are accepted by applicants. */
export const guardedTables = [approvalTable, singleChangeTable, termsVersionTable];

/** Migrations of this release, and the tables on which the running service has fewer rights. */
export const releaseSchema = {
  schema,
  folder: new URL('../../migrations/', import.meta.url),
  base: [...auditMigrations(auditLog), ...approvalMigrations, ...forwardMigrations],
  audit: auditLog.table,
  readOnly: ['terms_seal', 'known_row'],
};
