import { keyset } from '@rubrica/database';
import { assertOperator } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { findRequests } from './find-requests.ts';
import { toRequestRow } from './request-row.ts';

type SearchRequests = OperatorUseCase<'requests.search'>;

const byCreation = keyset('createdAt');
const aboveAll = { belowAt: 'infinity', belowId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } as const;

/** One page, newest first. @throws AppError FORBIDDEN for a viewer who names an applicant */
export function createSearchRequests({ database }: Pick<IntakeDeps, 'database'>): SearchRequests {
  return async ({ cursor, limit, ...filters }, { caller }) => {
    // Whoever sees numbers masked would find them out by asking for one after the other.
    if (filters.identificationNumber !== undefined) assertOperator(caller, 'reviewer');
    const after = cursor === undefined ? undefined : byCreation.readCursor(cursor);
    const place = after === undefined ? aboveAll : { belowAt: after.createdAt, belowId: after.id };
    const found = await findRequests(database, filters, { ...place, limit: limit + 1 });
    const rows = found.map((row) => ({
      ...row,
      createdAt: new Date(row.createdAt),
      updatedAt: new Date(row.updatedAt),
    }));
    return byCreation.page(rows, limit, toRequestRow);
  };
}
