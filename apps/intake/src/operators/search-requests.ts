import { keyset, readPage } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { RequestEntity } from '../request/request.entity.ts';
import { toRequestRow } from './request-row.ts';

type SearchRequests = OperatorUseCase<'requests.search'>;

const byCreation = keyset('createdAt');

/** One page, newest first. */
export function createSearchRequests({ database }: Pick<IntakeDeps, 'database'>): SearchRequests {
  return ({ cursor, limit, ...filters }) =>
    readPage(database.fork(), [RequestEntity, toRequestRow], {
      keyset: byCreation,
      filters,
      cursor,
      limit,
    });
}
