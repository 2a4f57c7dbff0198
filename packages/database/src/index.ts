export { boundRowsSql } from './bounds/bound-rows-sql.ts';
export type { Statement } from './connection/bound-statement.ts';
export {
  createDatabase,
  type Database,
  type DatabaseOptions,
  defaultPoolSize,
} from './connection/create-database.ts';
export { isDatabaseUnavailable, isUniqueViolation } from './connection/errors.ts';
export { shownOctets } from './connection/hidden-values.ts';
export { quoteIdentifier } from './connection/identifiers.ts';
export { type OwnSession, openOwnSession } from './connection/own-session.ts';
export { failurePauseMs, pause } from './connection/pause.ts';
export type { AheadOfCommit } from './connection/pipelined-commit.ts';
export { runStatement } from './connection/run-statement.ts';
export { type RoleLoad, readServerLoad } from './connection/server-load.ts';
export { judgeRoleSettings } from './connection/session-settings.ts';
export { type SqlRunner, type SqlTarget, toSqlRunner } from './connection/sql-runner.ts';
export { type DayRows, dayBegins, dayEnds, dueDaySql, namedDaySql, noteDaySql } from './day-rows/day-rows.ts';
export { bucketSql, countEntries, type Histogram, percentileMs } from './day-rows/histogram.ts';
export type { EntryColumns, EntryGuard, EntryMac, StoredEntry } from './entries/entry-guard.ts';
export { findEntryGuard } from './entries/entry-guards.ts';
export { checkRows } from './guarded/check-rows.ts';
export { forwardRowsSql } from './guarded/forward-rows-sql.ts';
export {
  type GuardedTable,
  guardedColumns,
  guardedColumnsSql,
  guardedSqlTable,
  guardedTable,
} from './guarded/guarded-table.ts';
export { createRowGuard, type FailedRow, findIntact, ifIntact, type RowGuard } from './guarded/row-guard.ts';
export { createKeyset, type Keyset, type KeysetPosition } from './keyset/keyset.ts';
export { readPage } from './keyset/read-page.ts';
export { FenceLost } from './lease/fence-lost.ts';
export {
  dueRowLease,
  type LeaseSql,
  lease,
  leaseEnd,
  leaseWithAlias,
} from './lease/lease-sql.ts';
export { createLeases, type Leased, type Leases } from './lease/leases-on.ts';
export { fenceInStepSql, namedLockSql } from './lock/named-lock-sql.ts';
export { createOwnerWatch } from './lock/owner-watch.ts';
export { lockName } from './lock/row-lock.ts';
export {
  assertLockHeld,
  createSessionLock,
  heldLockSql,
  type SessionLock,
  trySessionLock,
} from './lock/session-lock.ts';
export type { DatabaseLogger } from './logger.ts';
export { isSchemaOwner } from './migrate/schema-owner.ts';
export { emit } from './outbox/emit.ts';
export {
  type OutboxEvent,
  type OutboxParams,
  outboxParams,
} from './outbox/outbox-event.ts';
export { emitting } from './outbox/outbox-insert.ts';
export { outboxMigrations } from './outbox/outbox-migrations.ts';
export { outboxSql } from './outbox/outbox-sql.ts';
export { type RebuiltStream, rebuildStream, type StreamSeen } from './rebuild/rebuild-stream.ts';
export { createPacer, type Pacer } from './relay/pacer.ts';
export { createRelay, type Relay } from './relay/relay.ts';
export { createRelayMetrics } from './relay/relay-metrics.ts';
export type {
  OutboxMessage,
  Publish,
  RelayMetrics,
  RelayOptions,
  RelayTuning,
} from './relay/relay-options.ts';
export {
  type DecidedParams,
  decidedColumns,
  decidedRetentionSql,
} from './retention/decided-retention.ts';
export { type Sealed, sealedSql } from './sealed/sealed.ts';
export {
  boundedScan,
  namedSql,
  type ScanCursor,
  type ScanResult,
  type ScanRow,
  scanCursorSql,
  type TermSize,
  termSizeSql,
  toScanResult,
  type WordTable,
  wholeScan,
  withScanCursor,
} from './search/bounded-scan.ts';
export {
  namePatterns,
  rowWordCondition,
  searchableName,
  type TermRange,
  type Terms,
  termsWithPrefix,
  toSearchTerms,
  toTerms,
} from './search/search-words.ts';
export {
  type ColumnMap,
  type NamedStatement,
  type StatementOptions,
  type StatementTarget,
  statement,
  toColumns,
} from './statement/statement.ts';
export { purgeOutbox } from './sweeper/purge-tasks.ts';
export { type RepublishDue, republishDue } from './sweeper/republish-due.ts';
export { createSweeper, type Sweeper, type SweeperOptions, type SweeperTask } from './sweeper/sweeper.ts';
