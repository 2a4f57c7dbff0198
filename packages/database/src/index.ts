export { auditChainSql } from './audit/audit-sql.ts';
export { type AuditTable, auditCrashPoints } from './audit/audit-table.ts';
export { type Chainer, createChainer } from './audit/chainer.ts';
export { createChainerMetrics } from './audit/chainer-metrics.ts';
export type { ChainerMetrics, ChainerOptions, ChainerTuning } from './audit/chainer-options.ts';
export { type CheckpointVerifier, checkpointType } from './audit/checkpoint.ts';
export type { AuditFinding, FindingKind } from './audit/findings.ts';
export {
  type AuditExpressions,
  type AuditFilter,
  type AuditLog,
  type ListedAuditRow,
  listAudit,
} from './audit/list-audit.ts';
export { type AuditEntry, auditTableSql, recordAudit, standardAuditLog } from './audit/standard-log.ts';
export {
  type AuditVerification,
  type VerifyAuditDeps,
  type VerifyAuditRequest,
  verifyAudit,
} from './audit/verify-audit.ts';
export { claimColumnsSql, claimProperties } from './claims/claim-columns.ts';
export {
  type BatchRequest,
  type Claim,
  type ClaimedChange,
  type ClaimRequest,
  type Claims,
  claimsOn,
  type Held,
} from './claims/claims.ts';
export { FenceLost } from './claims/fence-lost.ts';
export {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type Statement,
} from './connection/create-database.ts';
export { isDatabaseUnavailable, isUniqueViolation, TransactionRequired } from './connection/errors.ts';
export { runStatement } from './connection/run-statement.ts';
export { runnerOf, type SqlRunner, type SqlTarget } from './connection/sql-runner.ts';
export { afterCommit } from './connection/transaction-scope.ts';
export { inbox, inboxSql } from './inbox/inbox.ts';
export type { DatabaseLogger } from './logger.ts';
export { emit } from './outbox/emit.ts';
export {
  InvalidOutboxEvent,
  type OutboxEvent,
  type OutboxValues,
  outboxValues,
} from './outbox/outbox-event.ts';
export { outboxInsert } from './outbox/outbox-insert.ts';
export { outboxSql } from './outbox/outbox-sql.ts';
export { republish } from './outbox/republish.ts';
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
  createSealer,
  type Sealed,
  type Sealer,
  type SealingKeyring,
  sealed,
  sealedSql,
} from './sealed/sealed.ts';
export { purgeInbox, purgeOutbox } from './sweeper/purge-tasks.ts';
export { type RepublishDue, republishColumnsSql, republishDue } from './sweeper/republish-due.ts';
export { createSweeper, type Sweeper, type SweeperOptions, type SweeperTask } from './sweeper/sweeper.ts';
