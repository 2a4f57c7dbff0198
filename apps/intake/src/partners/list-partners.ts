import type { OperatorUseCase } from '@rubrica/wiring';
import { after, toPage } from '@rubrica/wiring/database';
import type { IntakeDeps } from '../context.ts';
import { PartnerEntity } from './partner.entity.ts';
import { toPartnerRow } from './partner-view.ts';

type ListPartners = OperatorUseCase<'partners.list'>;

/** One page, newest first. */
export function createListPartners({ database }: Pick<IntakeDeps, 'database'>): ListPartners {
  return async ({ cursor, limit }) => {
    const rows = await database
      .fork()
      .find(PartnerEntity, after(cursor), { orderBy: { createdAt: 'desc', id: 'desc' }, limit: limit + 1 });
    return toPage(rows, limit, toPartnerRow);
  };
}
