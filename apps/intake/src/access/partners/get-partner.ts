import type { OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { viewPartner } from './partner-view.ts';

type GetPartner = OperatorUseCase<'partners.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetPartner(deps: Pick<AccessDeps, 'database' | 'clock' | 'rows'>): GetPartner {
  return ({ id }) => viewPartner(deps, id);
}
