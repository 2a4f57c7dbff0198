import { keyset, readPage } from '@rubrica/database';
import { assertOperator } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { RequestEntity } from '../request/request.entity.ts';
import { toRequestRow } from './request-row.ts';

type SearchRequests = OperatorUseCase<'requests.search'>;

const byCreation = keyset('createdAt');

/** One page, newest first. @throws AppError FORBIDDEN for a viewer who names an applicant */
export function createSearchRequests({ database }: Pick<IntakeDeps, 'database'>): SearchRequests {
  return ({ cursor, limit, ...filters }, { caller }) => {
    // Whoever sees numbers masked would find them out by asking for one after the other.
    if (filters.identificationNumber !== undefined) assertOperator(caller, 'reviewer');
    return readPage(database.fork(), [RequestEntity, toRequestRow], {
      keyset: byCreation,
      filters,
      cursor,
      limit,
    });
  };
}
