export { auditMigrations } from './audit-migrations.ts';
export { auditGrants } from './audit-sql.ts';
