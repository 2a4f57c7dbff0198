import type { RowGuard } from '@rubrica/database';

/** A reviewer's approval with its operator, as the database has both. */
export interface StoredApproval {
  readonly approval: Readonly<Record<string, unknown>>;
  readonly operator: Readonly<Record<string, unknown>>;
}

/** Reads as `StoredApproval` where `review_approval` and `operator` are joined. */
export const storedApprovalSql = `jsonb_build_object('approval', to_jsonb(review_approval), 'operator', to_jsonb(operator))`;

/** A row that this service has not written is nobody's approval, and no operator of ours has given it. */
export function isAuthentic(
  { approval, operator }: StoredApproval,
  rows: Pick<RowGuard, 'isIntact'>,
): boolean {
  return rows.isIntact('review_approval', approval) && rows.isIntact('operator', operator);
}
