import { requestListQuery } from '@rubrica/contracts/rest/lists';
import { formatLocalDateTime } from '@rubrica/process/time';
import { requirePartner } from '../../context.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { readListQuery } from './list-query.ts';

/** Lists the requests of the calling partner, of all families. */
export function createListRequests({ peers, timeZone }: Pick<RestDeps, 'peers' | 'timeZone'>): Handler {
  const formatTime = (instant: string) => formatLocalDateTime(new Date(instant), timeZone);
  return async (request) => {
    const { referenceTransaction: referencePrefix, ...values } = readListQuery(
      requestListQuery.shape,
      request.query,
      timeZone,
    );
    const input = { ...values, ...(referencePrefix !== undefined && { referencePrefix }) };
    const { items, nextCursor } = await peers.intake['requests.list'](input, {
      for: requirePartner(request),
    });
    const localItems = items.map((item) => ({
      ...item,
      notAfter: item.notAfter && formatTime(item.notAfter),
      createdDate: formatTime(item.createdDate),
      updatedDate: formatTime(item.updatedDate),
    }));
    return { items: localItems, nextCursor };
  };
}
