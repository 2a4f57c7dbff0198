import type { FilterQuery } from '@mikro-orm/core';
import type { OperatorUseCase } from '@rubrica/wiring';
import { after, toPage } from '@rubrica/wiring/database';
import type { IntakeDeps } from '../context.ts';
import { type Request, RequestEntity } from '../request/request.entity.ts';
import { toRequestRow } from './request-row.ts';

type SearchRequests = OperatorUseCase<'requests.search'>;

/** One page, newest first. */
export function createSearchRequests({ database }: Pick<IntakeDeps, 'database'>): SearchRequests {
  return async ({ cursor, limit, ...filters }) => {
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const where = { ...given, ...after(cursor) } as FilterQuery<Request>;
    const rows = await database.fork().find(RequestEntity, where, {
      orderBy: { createdAt: 'desc', id: 'desc' },
      limit: limit + 1,
    });
    return toPage(rows, limit, toRequestRow);
  };
}
