import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process';
import type { IntakeDeps } from '../../context.ts';
import { type Operator, OperatorEntity } from '../operator.entity.ts';

type OperatorView = OperatorOutput<'operators.get'>;

/** An operator as administrators see it: nothing of a password, nor of who has the other factors. */
export function toOperatorView({ id, email, role, enabled, createdAt }: Operator): OperatorView {
  return { operatorId: id, email, role, enabled, createdAt: createdAt.toISOString() };
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function viewOperator(
  { database, rows }: Pick<IntakeDeps, 'database' | 'rows'>,
  id: string,
): Promise<OperatorView> {
  const operator = await rows.forShowing(database.fork()).findOne(OperatorEntity, { id });
  if (!operator) throw operatorNotFound();
  return toOperatorView(operator);
}

export function operatorNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'There is no such operator' });
}
