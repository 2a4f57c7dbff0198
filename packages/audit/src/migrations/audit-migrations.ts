import { boundRowsSql } from '@rubrica/database/bounds';
import { fenceInStepSql, namedLockSql } from '@rubrica/database/lock';
import type { Migration } from '@rubrica/database/migrate';
import type { AuditLog } from '../log/audit-table.ts';
import { auditTableSql } from '../log/standard-log.ts';
import {
  auditChainSql,
  auditEntryIdSql,
  auditSearchSql,
  boundedAuditRowsSql,
  boundedAuditSql,
  guardedAuditSql,
  smallAuditSql,
} from './audit-sql.ts';

/**
 * Migrations of an audit log and of the locks of its chain, applied in the order of their names. Never edit one: it has
 * been applied.
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
    { name: '20261130050000_bound_rows', sql: `${boundRowsSql}${boundedAuditRowsSql(table)}` },
  ];
}
