import { certificateListQuery } from '@rubrica/contracts/rest/lists';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { formatLocalDateTime } from '@rubrica/process';
import { partnerOf } from '../../context.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { readListQuery } from './list-query.ts';
import { type NamedRequest, withRequests } from './name-requests.ts';

type Deps = Pick<RestDeps, 'peers' | 'timeZone' | 'clock'>;

/** Lists the certificates of the calling partner: from generation, with what intake knows of their requests. */
export function createListCertificates(deps: Deps): Handler {
  const { peers, timeZone, clock } = deps;
  const local = (instant: string) => formatLocalDateTime(new Date(instant), timeZone);
  return async (request) => {
    const values = readListQuery(certificateListQuery.shape, request.query, timeZone);
    const options = { for: partnerOf(request) };
    const { items, nextCursor } = await peers.generation['certificates.list'](values, options);
    const now = clock();
    const shown = (await withRequests(deps, items, options)).map(({ row, request: named }) => ({
      serialNumber: row.serialNumber,
      referenceTransaction: named.referenceTransaction,
      family: named.family,
      certificateType: named.certificateType,
      status: row.status === 'VALID' && hasEnded(row.notAfter, named, now) ? 'EXPIRED' : row.status,
      notBefore: local(row.notBefore),
      notAfter: local(row.notAfter),
      revocationReason: row.revocationReason,
      revokedAt: row.revokedAt && local(row.revokedAt),
    }));
    // The sandbox's clock of a request is intake's alone: what it ended is no longer among the valid ones.
    const meant = shown.filter(({ status }) => values.status === undefined || status === values.status);
    return { items: meant, nextCursor };
  };
}

function hasEnded(notAfter: string, { certificateAdvancedDays }: NamedRequest, now: Date): boolean {
  return Date.parse(notAfter) - certificateAdvancedDays * DAY_MS < now.getTime();
}
