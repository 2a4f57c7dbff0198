import { createText } from '@rubrica/contracts/error-texts/create-text';
import { guardedSqlTable, type RowGuard } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { TermsVersion } from './terms-version.entity.ts';

/** Guards all but the label (`version`), which a trigger keeps as it is. */
export const termsVersionTable = guardedSqlTable('terms_version', ['type', 'content', 'active'], {
  versionColumn: 'row_version',
});

type GuardedVersion = Pick<TermsVersion, 'id' | 'type' | 'content' | 'active' | 'rowVersion' | 'mac'>;

/** Gives a version its MAC. Call it after each change and before the flush; a version that failed gets none. */
export function protectVersion(
  version: GuardedVersion,
  { rows }: { readonly rows: Pick<RowGuard, 'protect'> },
): void {
  const { id, type, content, active } = version;
  const made = rows.protect(termsVersionTable.name, { id, type, content, active }, version.rowVersion + 1);
  version.rowVersion = made.version;
  version.mac = made.mac;
}

/** Compares the MAC of a version, and raises the alarm where it is not as this service wrote it. */
export function isIntactVersion(
  { id, type, content, active, rowVersion, mac }: GuardedVersion,
  { rows }: { readonly rows: Pick<RowGuard, 'isIntact'> },
): boolean {
  return rows.isIntact(termsVersionTable.name, { id, type, content, active, row_version: rowVersion, mac });
}

/** @throws AppError FORBIDDEN */
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
