import type { RowGuard } from '@rubrica/database/guarded';

/** Approval of a reviewer with its operator, as the database has both. */
export interface StoredApproval {
  readonly approval: Readonly<Record<string, unknown>>;
  readonly operator: Readonly<Record<string, unknown>>;
}

/** SQL that reads as `StoredApproval` where `review_approval` and `operator` are joined. */
export const storedApprovalSql = `jsonb_build_object('approval', to_jsonb(review_approval), 'operator', to_jsonb(operator))`;

/**
 * Returns whether this service has written the approval and its operator; otherwise it counts as nobody's
 * approval.
 */
export function isAuthentic(
  { approval, operator }: StoredApproval,
  rows: Pick<RowGuard, 'isIntact'>,
): boolean {
  return rows.isIntact('review_approval', approval) && rows.isIntact('operator', operator);
}
