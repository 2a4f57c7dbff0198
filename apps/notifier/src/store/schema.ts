import {
  auditChainSql,
  auditEntryIdSql,
  auditSearchSql,
  auditTableSql,
  boundedAuditSql,
  fenceInStepSql,
  guardedAuditSql,
  keyset,
  namedLockSql,
} from '@rubrica/database';
import type { Migration } from '@rubrica/database/migrate';
import { ApplicantMessageEntity } from './applicant-message.entity.ts';
import { auditLog } from './audit-log.ts';
import { AttemptEntity, DeliveryEntity } from './delivery.entity.ts';
import { DestinationEntity } from './destination.entity.ts';

/** Database schema that this service owns. */
export const schema = 'notifier';
export const entities = [DeliveryEntity, AttemptEntity, ApplicantMessageEntity, DestinationEntity];

/** Sort order: newest first, because ids are UUID v7 and so ordered by time. */
export const byId = keyset();

/**
 * Migrations that are not files in `migrations/`. They are applied together with those, in the order of their names.
 */
const packageMigrations: readonly Migration[] = [
  { name: '20261121200000_audit_chain', sql: `${auditTableSql}${auditChainSql(auditLog.table)}` },
  { name: '20261123090000_audit_search', sql: auditSearchSql(auditLog) },
  { name: '20261128171000_guarded_audit', sql: guardedAuditSql(auditLog.table) },
  {
    name: '20261128171100_audit_entry_id',
    sql: auditEntryIdSql(auditLog.table),
    withoutTransaction: true,
  },
  { name: '20261129081000_bounded_audit', sql: boundedAuditSql(auditLog.table) },
  { name: '20261129095600_fence_in_step', sql: fenceInStepSql },
  { name: '20261128070900_named_locks', sql: namedLockSql },
];

/** Migrations of this release, and the tables on which the running service has fewer rights. */
export const releaseSchema = {
  schema,
  folder: new URL('../../migrations/', import.meta.url),
  base: packageMigrations,
  audit: auditLog.table,
};
