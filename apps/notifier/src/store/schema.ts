import { auditChainSql, auditTableSql } from '@rubrica/database';
import type { Migration } from '@rubrica/database/migrate';
import { auditLog } from './audit-log.ts';

/** The schema this service owns. It has no entities: its few queries are written out where they are used. */
export const schema = 'notifier';

/** Among the files of `migrations/`, by its name. */
export const auditMigration: Migration = {
  name: '20261121200000_audit_chain',
  sql: `${auditTableSql}${auditChainSql(auditLog.table)}`,
};
