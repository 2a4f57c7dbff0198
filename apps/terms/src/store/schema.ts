import { auditChainSql, auditTableSql } from '@rubrica/database';
import type { Migration } from '@rubrica/database/migrate';
import { auditLog } from './audit-log.ts';
import { TermsVersion } from './terms-version.entity.ts';

/** The schema this service owns in the database, and what it keeps there. */
export const schema = 'terms';
export const entities = [TermsVersion];

/** Among the files of `migrations/`, by its name. */
export const auditMigration: Migration = {
  name: '20261121200000_audit_chain',
  sql: `${auditTableSql}${auditChainSql(auditLog.table)}`,
};
