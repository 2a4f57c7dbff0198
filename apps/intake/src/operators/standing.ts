import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database';
import { AppError, assertOperator, type OperatorCaller } from '@rubrica/process';

/** Condition on a row of `operator`: who may decide on requests at this moment. */
export const mayReviewSql = `operator.enabled and operator.role <> 'viewer'`;

/** Whoever disables or demotes the operator waits for the decision, or the decision sees it. */
const findStanding = statement<{ readonly operatorId: string }, { readonly role: OperatorRole }>({
  name: 'operator-standing',
  sql: 'select role from operator where id = :operatorId and enabled for share',
});

/**
 * An access token outlives what its operator may do: a decision asks again, in its own transaction.
 * @throws AppError FORBIDDEN for who is disabled, unknown or of a lower role by now
 */
export async function assertStanding(
  em: EntityManager,
  operator: OperatorCaller,
  role: OperatorRole,
): Promise<void> {
  const [row] = await findStanding.run(em, { operatorId: operator.operatorId });
  if (!row) throw new AppError({ code: 'FORBIDDEN', publicMessage: 'Your account is disabled' });
  assertOperator({ ...operator, role: row.role }, role);
}
