import { createKeyset, type KeysetPosition } from '@rubrica/database/keyset';
import { assertOperator } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { DeskDeps } from '../deps.ts';
import { findRequests } from './find-requests.ts';
import { toRequestRow } from './request-row.ts';

type SearchRequests = OperatorUseCase<'requests.search'>;

const byCreation = createKeyset('createdAt');
const lowestId = '00000000-0000-0000-0000-000000000000';

/**
 * Searches one page, newest first, or the rows that one look for a name has found.
 * @throws AppError FORBIDDEN for a viewer who searches by an applicant's number or address
 */
export function createSearchRequests({ database }: Pick<DeskDeps, 'database'>): SearchRequests {
  return async ({ cursor, limit, from, to, ...filters }, { caller }) => {
    // A viewer, who sees numbers and addresses masked, could find them out by searching, the latter letter by
    // letter.
    if (filters.identificationNumber !== undefined || filters.email !== undefined)
      assertOperator(caller, 'reviewer');
    const after = cursor === undefined ? undefined : byCreation.readCursor(cursor);
    const until = to === undefined ? undefined : new Date(to);
    const since = from === undefined ? '-infinity' : new Date(from);
    const { rows: found, reached } = await findRequests(database, filters, {
      ...toStartPosition(after, until),
      since,
      limit: limit + 1,
    });
    const rows = found.map((row) => ({
      ...row,
      createdAt: new Date(row.createdAt),
      updatedAt: new Date(row.updatedAt),
    }));
    return byCreation.page(rows, limit, ({ name, ...row }) => ({ ...toRequestRow(row), name }), reached);
  };
}

/**
 * Returns the position below the last row of the previous page, which lies before `until`; the first page
 * begins there.
 */
function toStartPosition(after: KeysetPosition<'createdAt'> | undefined, until: Date | undefined) {
  if (after !== undefined && !(until !== undefined && until <= after.createdAt))
    return { belowAt: after.createdAt, belowId: after.id };
  return { belowAt: until ?? ('infinity' as const), belowId: lowestId };
}
