import { certificateListQuery } from '@rubrica/contracts/rest/lists';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { formatLocalDateTime } from '@rubrica/process/time';
import { requirePartner } from '../../context.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { readListQuery } from './list-query.ts';
import { type NamedRequest, withRequests } from './name-requests.ts';

type Deps = Pick<RestDeps, 'peers' | 'timeZone' | 'clock'>;

/** Lists the certificates of the calling partner: from generation, with the data of their requests from intake. */
export function createListCertificates(deps: Deps): Handler {
  const { peers, timeZone, clock } = deps;
  const formatTime = (instant: string) => formatLocalDateTime(new Date(instant), timeZone);
  return async (request) => {
    const values = readListQuery(certificateListQuery.shape, request.query, timeZone);
    const options = { for: requirePartner(request) };
    const { items: rows, nextCursor } = await peers.generation['certificates.list'](values, options);
    const now = clock();
    const items = (await withRequests(deps, rows, options)).map(({ row, request: named }) => ({
      serialNumber: row.serialNumber,
      referenceTransaction: named.referenceTransaction,
      family: named.family,
      certificateType: named.certificateType,
      status: row.status === 'VALID' && hasEnded(row.notAfter, named, now) ? 'EXPIRED' : row.status,
      notBefore: formatTime(row.notBefore),
      notAfter: formatTime(row.notAfter),
      revocationReason: row.revocationReason,
      revokedAt: row.revokedAt && formatTime(row.revokedAt),
    }));
    // Only intake knows the sandbox clock of a request, so certificates that it expired are filtered here.
    const matching = items.filter(({ status }) => values.status === undefined || status === values.status);
    return { items: matching, nextCursor };
  };
}

function hasEnded(notAfter: string, { certificateAdvancedDays }: NamedRequest, now: Date): boolean {
  return Date.parse(notAfter) - certificateAdvancedDays * DAY_MS < now.getTime();
}
