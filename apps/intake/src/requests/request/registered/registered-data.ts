import { createText } from '@rubrica/contracts/error-texts/create-text';
import { guardedColumnsSql, guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import { sha256Hex } from '../../../base/sha256-hex.ts';
import type { Row } from '../one-statement.ts';
import type { Details, Request } from '../request.entity.ts';
import type { Decision } from './decision.ts';
import type { RequestHistory } from './request-history.ts';

/**
 * Data of a request on which its certificate, its file and its webhooks rest, under one MAC from registration
 * on. `version` is one more than the number of steps in the timeline that renew them, so that an older row
 * does not fit its timeline.
 */
export interface RegisteredData
  extends Pick<
    Request,
    | 'family'
    | 'partnerId'
    | 'referenceTransaction'
    | 'identificationNumber'
    | 'applicationType'
    | 'certificateType'
    | 'period'
    | 'callbackUrl'
    | 'passwordOrigin'
    | 'passwordSha256'
    | 'claimedAtRegistration'
    | 'evidenceSha256'
    | 'supersedes'
    | 'validationAttempt'
    | 'reviewPolicy'
  > {
  readonly id: string;
  readonly version: number;
  readonly details: Details;
  readonly renewalOf: string | null;
  readonly decision: Decision | null;
}

const fields = [
  'family',
  'partnerId',
  'referenceTransaction',
  'identificationNumber',
  'applicationType',
  'certificateType',
  'period',
  'callbackUrl',
  'details',
  'passwordOrigin',
  'passwordSha256',
  'claimedAtRegistration',
  'evidenceSha256',
  'renewalOf',
  'supersedes',
  'validationAttempt',
  'reviewPolicy',
  'decision',
] as const satisfies readonly Exclude<keyof RegisteredData, 'id' | 'version'>[];

export const registeredTable = guardedSqlTable('request', fields, {
  versionColumn: 'data_version',
  macColumn: 'data_mac',
  check: 'former-keys',
});

/** Guarded columns of a request, as `registeredSql` reads them. */
export type StoredRegistration = Readonly<Record<string, unknown>>;

/** Returns SQL of the guarded columns of a row of `request`. @param from name of the row, never input */
export function registeredSql(from: string): string {
  return guardedColumnsSql(registeredTable, from);
}

/** Returns the columns that protect `data`. */
export function protectRegistered(rows: Pick<RowGuard, 'protect'>, data: RegisteredData): Row {
  const { version, mac } = rows.protect('request', { ...data }, data.version);
  const decision = data.decision && JSON.stringify(data.decision);
  return { data_version: version, data_mac: mac, decision };
}

export function toRegistered(stored: StoredRegistration): RegisteredData {
  const { id, data_version: version } = stored;
  const values = registeredTable.fields.map(({ name, column }) => [name, stored[column]]);
  return { id, version, ...Object.fromEntries(values) } as RegisteredData;
}

export function toStored(request: Request): StoredRegistration {
  const data = { ...request, renewalOf: request.renewalOfId } as unknown as Record<string, unknown>;
  const { id, dataVersion: data_version, dataMac: data_mac } = request;
  const values = registeredTable.fields.map(({ name, column }) => [column, data[name]]);
  return { id, data_version, data_mac, ...Object.fromEntries(values) };
}

/** Computes SHA-256 of a password as it is sealed; null if there is none. */
export function computePasswordSha256(sealed: string | null | undefined): string | null {
  return sealed ? sha256Hex(sealed) : null;
}

/**
 * Returns whether this service wrote a request last, and raises the alarm if not.
 * @param history history of the request, if a restored older row must be found as well
 */
export function isAuthentic(
  rows: Pick<RowGuard, 'isIntact' | 'reportFailed'>,
  stored: StoredRegistration,
  history?: RequestHistory,
): boolean {
  if (!rows.isIntact('request', stored)) return false;
  if (history === undefined || stored.data_version === 1 + history.renewals) return true;
  rows.reportFailed({ table: 'request', id: String(stored.id) });
  return false;
}

export function notAuthentic(): AppError {
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.requestTampered'),
  });
}
