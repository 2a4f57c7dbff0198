export type { AppendOnlyTable } from './grants.ts';
export { type MigrateOptions, migrate } from './migrate.ts';
export type { Migration } from './migration.ts';
export { readMigrations } from './read-migrations.ts';
export { isSchemaOwner } from './schema-owner.ts';
