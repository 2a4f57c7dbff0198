import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { AppError, assertOperator, type OperatorCaller } from '@rubrica/process';
import { OperatorEntity } from './operator.entity.ts';

/** Condition on a row of `operator`: who may decide on requests at this moment. */
export const mayReviewSql = `operator.enabled and operator.role <> 'viewer'`;

/**
 * An access token outlives what its operator may do: a decision asks again, in its own transaction.
 * @throws AppError FORBIDDEN for who is disabled, unknown or of a lower role by now
 */
export async function assertStanding(
  em: EntityManager,
  operator: OperatorCaller,
  role: OperatorRole,
): Promise<void> {
  const standing = { id: operator.operatorId, enabled: true };
  // Whoever disables or demotes the operator waits for the decision, or the decision sees it.
  const row = await em.findOne(OperatorEntity, standing, {
    lockMode: LockMode.PESSIMISTIC_READ,
    refresh: true,
  });
  if (!row) throw new AppError({ code: 'FORBIDDEN', text: createText('operator.accountDisabled') });
  assertOperator({ ...operator, role: row.role }, role);
}
