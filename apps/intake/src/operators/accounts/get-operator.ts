import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { OperatorEntity } from '../operator.entity.ts';
import { openSessionsOf } from '../sessions/sessions-of.ts';
import { openInvitations, operatorNotFound, toOperatorView } from './operator-view.ts';

type GetOperator = OperatorUseCase<'operators.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetOperator({
  database,
  rows,
  clock,
}: Pick<IntakeDeps, 'database' | 'rows' | 'clock'>): GetOperator {
  return async ({ operatorId }) => {
    const em = rows.forShowing(database.fork());
    const operator = await em.findOne(OperatorEntity, { id: operatorId });
    if (!operator) throw operatorNotFound();
    const invitations = await openInvitations(em, [operatorId]);
    return {
      ...toOperatorView(operator, invitations.get(operatorId)),
      sessions: await openSessionsOf(em, operator, clock()),
    };
  };
}
