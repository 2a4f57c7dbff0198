import type { RevocationReason } from '@rubrica/contracts/shared/enumerations';
import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import type { StatusFields } from './status-fields.ts';

/** Columns that decide the status of a certificate and who may change it. The row version is `status_version`. */
export const certificateTable = guardedSqlTable('certificate', [
  'requestId',
  'partnerId',
  'serial',
  'issuer',
  'crlShard',
  'notAfter',
  'revokedAt',
  'revocationReason',
  'heldAt',
]);

/**
 * Status change as its audit entry states it. The entry carries a MAC, because the role of the database can add
 * entries.
 */
export const statusEntryTable = guardedSqlTable('audit_entry', [
  'serial',
  'action',
  'revokedAt',
  'revocationReason',
  'heldAt',
]);

/** Builds SQL for the guarded columns of a row of `certificate`, as JSON for `isIntact`. */
export function guardedStatusSql(alias: string): string {
  const columns = certificateTable.fields.map(({ column }) => `'${column}', ${alias}.${column}`);
  const { id, version, mac } = { id: `${alias}.id`, version: `${alias}.status_version`, mac: `${alias}.mac` };
  return `jsonb_build_object('id', ${id}, 'version', ${version}, ${columns.join(', ')}, 'mac', ${mac})`;
}

/** Row of `certificate` as `guardedStatusSql` returns it. */
export interface GuardedStatusRow {
  readonly id: string;
  readonly version: number;
  readonly request_id: string;
  readonly partner_id: string;
  readonly serial: string;
  readonly issuer: string;
  readonly crl_shard: number;
  readonly not_after: string;
  readonly revoked_at: string | null;
  readonly revocation_reason: RevocationReason | null;
  readonly held_at: string | null;
  readonly mac: string | null;
}

/** Fields that the MAC of a certificate covers. */
export interface StatusRecord extends Required<StatusFields> {
  readonly id: string;
  readonly requestId: string;
  readonly partnerId: string;
  readonly serial: string;
  readonly issuer: string;
  readonly crlShard: number;
  readonly statusVersion: number;
}

export function makeStatusMac(rows: Pick<RowGuard, 'protect'>, record: StatusRecord): string {
  return rows.protect(certificateTable.name, { ...record }, record.statusVersion).mac;
}

/** Creates the MAC of the audit entry of a change to `record`. */
export function makeEntryMac(
  rows: Pick<RowGuard, 'protect'>,
  action: string,
  record: Omit<StatusRecord, 'partnerId' | 'requestId'>,
): string {
  return rows.protect(statusEntryTable.name, { ...record, id: record.id, action }, record.statusVersion).mac;
}
