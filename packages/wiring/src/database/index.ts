export { assertSandbox } from './assert-sandbox.ts';
export { databaseChecks } from './checks/database-checks.ts';
export { exposeDueRows } from './database-metrics.ts';
export { openDatabase } from './open-database.ts';
export { type OutboxOptions, startOutbox } from './start-outbox.ts';
export { openRowGuard, type RowCheckOptions, startRowCheck } from './start-row-check.ts';
export { startSweeper } from './start-sweeper.ts';
export { translateDatabaseFault } from './unavailable.ts';
