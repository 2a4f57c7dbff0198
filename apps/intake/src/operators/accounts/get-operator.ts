import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { viewOperator } from './operator-view.ts';

type GetOperator = OperatorUseCase<'operators.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetOperator(deps: Pick<IntakeDeps, 'database' | 'rows'>): GetOperator {
  return ({ operatorId }) => viewOperator(deps, operatorId);
}
