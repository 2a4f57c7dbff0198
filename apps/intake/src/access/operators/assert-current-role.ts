import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { assertOperator, type OperatorCaller } from '@rubrica/process/trpc';
import { OperatorEntity } from './operator.entity.ts';

/** SQL condition on a row of `operator` that may currently decide on requests. */
export const mayReviewSql = `operator.enabled and operator.role <> 'viewer'`;

/**
 * Requires the current role of an operator: an access token outlives it, so a decision checks again in its
 * own transaction.
 * @throws AppError FORBIDDEN for an operator who is disabled, unknown or of a lower role by now
 */
export async function assertCurrentRole(
  em: EntityManager,
  operator: OperatorCaller,
  role: OperatorRole,
): Promise<void> {
  const enabledOperator = { id: operator.operatorId, enabled: true };
  // A change that disables or demotes the operator waits for the decision, or the decision sees it.
  const row = await em.findOne(OperatorEntity, enabledOperator, {
    lockMode: LockMode.PESSIMISTIC_READ,
    refresh: true,
  });
  if (!row) throw new AppError({ code: 'FORBIDDEN', text: createText('operator.accountDisabled') });
  assertOperator({ ...operator, role: row.role }, role);
}
