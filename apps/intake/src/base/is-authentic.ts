import type { RowGuard } from '@rubrica/database';

type Table = 'claim_code' | 'claim_right' | 'operator_challenge';

/**
 * Tells a row of this service from one that the database's rights alone have written. A row without a MAC is refused without an
 * alarm: the release before writes such rows while it is being replaced.
 * @param stored the row as `to_jsonb` gives it
 */
export function isAuthentic(
  rows: Pick<RowGuard, 'isIntact'>,
  table: Table,
  stored: Readonly<Record<string, unknown>>,
): boolean {
  return stored.mac !== '' && stored.mac !== null && rows.isIntact(table, stored);
}
