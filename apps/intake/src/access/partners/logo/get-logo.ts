import type { OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../../deps.ts';
import { readLogo } from './stored-logos.ts';

type GetLogo = OperatorUseCase<'partners.logo'>;

/** Reads the logo of a partner; null if there is no logo or no such partner. */
export function createGetLogo({ database }: Pick<AccessDeps, 'database'>): GetLogo {
  return ({ id }) => readLogo(database, id);
}
