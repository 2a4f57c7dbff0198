import { createText } from '@rubrica/contracts/error-texts/create-text';
import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { TermsVersion } from './terms-version.entity.ts';

/** Guards all columns except the label (`version`), which a trigger makes immutable. */
export const termsVersionTable = guardedSqlTable('terms_version', ['type', 'content', 'active'], {
  versionColumn: 'row_version',
});

type GuardedVersion = Pick<TermsVersion, 'id' | 'type' | 'content' | 'active' | 'rowVersion' | 'mac'>;

/**
 * Sets the MAC of a version. Call it after each change and before the flush. A version that failed the check gets none.
 */
export function protectVersion(
  version: GuardedVersion,
  { rows }: { readonly rows: Pick<RowGuard, 'protect'> },
): void {
  const { id, type, content, active } = version;
  const seal = rows.protect(termsVersionTable.name, { id, type, content, active }, version.rowVersion + 1);
  version.rowVersion = seal.version;
  version.mac = seal.mac;
}

/** Verifies the MAC of a version, and raises the alarm on a mismatch. */
export function isIntactVersion(
  { id, type, content, active, rowVersion, mac }: GuardedVersion,
  { rows }: { readonly rows: Pick<RowGuard, 'isIntact'> },
): boolean {
  return rows.isIntact(termsVersionTable.name, { id, type, content, active, row_version: rowVersion, mac });
}

/**
 * Verifies the MAC of a version.
 * @throws AppError FORBIDDEN
 */
export function assertIntactVersion(
  version: GuardedVersion,
  deps: { readonly rows: Pick<RowGuard, 'isIntact'> },
): void {
  if (isIntactVersion(version, deps)) return;
  throw new AppError({
    code: 'FORBIDDEN',
    text: createText('operator.termsTampered'),
  });
}
