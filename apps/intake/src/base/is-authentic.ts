import type { RowGuard } from '@rubrica/database/guarded';

type Table = 'claim_code' | 'claim_right' | 'operator_challenge';

/**
 * Returns whether this service wrote a row, rather than a user with the rights of the database alone. A row
 * without a MAC is refused without an alarm: the previous release writes such rows during an upgrade.
 * @param stored the row as `to_jsonb` gives it
 */
export function isAuthentic(
  rows: Pick<RowGuard, 'isIntact'>,
  table: Table,
  stored: Readonly<Record<string, unknown>>,
): boolean {
  return stored.mac !== '' && stored.mac !== null && rows.isIntact(table, stored);
}
