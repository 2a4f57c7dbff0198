export { type MigrateOptions, migrate } from './migrate.ts';
export { InvalidMigrations, type Migration } from './migration.ts';
export { readMigrations } from './read-migrations.ts';
