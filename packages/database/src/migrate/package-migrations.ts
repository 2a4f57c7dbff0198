import {
  auditChainSql,
  auditEntryIdSql,
  boundedAuditSql,
  guardedAuditSql,
  smallAuditSql,
} from '../audit/audit-sql.ts';
import { type AuditLog, auditSearchSql } from '../audit/list-audit.ts';
import { auditTableSql } from '../audit/standard-log.ts';
import { fenceInStepSql, namedLockSql } from '../lock/named-lock-sql.ts';
import { outboxMessageIdSql } from '../outbox/outbox-sql.ts';
import { streamSeenSql } from '../rebuild/stream-seen-sql.ts';
import type { Migration } from './migration.ts';

// Migrations of several services. They are applied in the order of their names, together with the files of `migrations/`.
// Never edit one: it has been applied.

/**
 * Migrations of an audit log and of the locks of its chain.
 * @param tableSql creates the table; empty where another migration does
 */
export function auditMigrations(log: AuditLog, tableSql: string = auditTableSql): readonly Migration[] {
  const { table } = log;
  return [
    { name: '20261121200000_audit_chain', sql: `${tableSql}${auditChainSql(table)}` },
    { name: '20261123090000_audit_search', sql: auditSearchSql(log) },
    { name: '20261128070900_named_locks', sql: namedLockSql },
    { name: '20261128171000_guarded_audit', sql: guardedAuditSql(table) },
    { name: '20261128171100_audit_entry_id', sql: auditEntryIdSql(table), withoutTransaction: true },
    { name: '20261129081000_bounded_audit', sql: boundedAuditSql(table) },
    { name: '20261129095600_fence_in_step', sql: fenceInStepSql },
    { name: '20261129232000_small_audit', sql: smallAuditSql(table) },
  ];
}

/** Migrations of an outbox whose table another migration creates. */
export const outboxMigrations: readonly Migration[] = [
  { name: '20261123233000_stream_seen', sql: streamSeenSql },
  { name: '20261126080000_outbox_message_id', sql: outboxMessageIdSql },
];
