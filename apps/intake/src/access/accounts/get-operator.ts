import type { OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { listFactors } from '../factors/list-factors.ts';
import { OperatorEntity } from '../operators/operator.entity.ts';
import { listOpenSessions } from '../sessions/list-open-sessions.ts';
import { operatorNotFound, viewOperators } from './operator-view.ts';

type GetOperator = OperatorUseCase<'operators.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetOperator({
  database,
  rows,
  clock,
}: Pick<AccessDeps, 'database' | 'rows' | 'clock'>): GetOperator {
  return async ({ operatorId }) => {
    const em = rows.forShowing(database.fork());
    const operator = await em.findOne(OperatorEntity, { id: operatorId });
    const [view] = operator ? await viewOperators(em, [operator]) : [];
    if (!operator || !view) throw operatorNotFound();
    const { factors } = await listFactors(em, operatorId);
    return { ...view, factors, sessions: await listOpenSessions(em, operator, clock()) };
  };
}
