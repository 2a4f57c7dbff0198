import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { viewPartner } from './partner-view.ts';

type GetPartner = OperatorUseCase<'partners.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetPartner(deps: Pick<IntakeDeps, 'database' | 'clock' | 'rows'>): GetPartner {
  return ({ id }) => viewPartner(deps, id);
}
