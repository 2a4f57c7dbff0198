import { createKeyset, readPage } from '@rubrica/database/keyset';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { PartnerEntity } from './partner.entity.ts';
import { toPartnerRow } from './partner-view.ts';

type ListPartners = OperatorUseCase<'partners.list'>;

const byCreation = createKeyset('createdAt');

/** Lists one page, newest first. */
export function createListPartners({ database, rows }: Pick<AccessDeps, 'database' | 'rows'>): ListPartners {
  return ({ cursor, limit }) =>
    readPage(rows.forShowing(database.fork()), [PartnerEntity, toPartnerRow], {
      keyset: byCreation,
      filters: {},
      cursor,
      limit,
    });
}
