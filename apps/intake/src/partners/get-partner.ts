import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { viewPartner } from './partner-view.ts';

type GetPartner = OperatorUseCase<'partners.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetPartner({ database, clock }: Pick<IntakeDeps, 'database' | 'clock'>): GetPartner {
  return ({ id }) => viewPartner(database.fork(), id, clock());
}
