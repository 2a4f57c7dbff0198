import { formatLocalDateTime } from '@rubrica/process/time';
import { requirePartner } from '../../context.ts';
import { createIdentifier } from '../../fields/identifier.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { createOpenBundle } from './open-bundle.ts';

/**
 * Returns the file of a transactional request with its password. Intake authorises and records it first. A crash in
 * between starts the retention's clock without releasing anything; the call may be repeated.
 */
export function createRetrieveCertificate(
  deps: Pick<RestDeps, 'peers' | 'openSealed' | 'timeZone'>,
): Handler {
  const { peers, timeZone } = deps;
  const identifier = createIdentifier('FT');
  const openBundle = createOpenBundle(deps);
  const formatTime = (date: Date) => formatLocalDateTime(date, timeZone);
  return async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const reference = identifier.fromQuery(request.query);
    const options = { for: requirePartner(request) };
    const opened = await peers.intake['requests.openRetrieval'](reference, options);
    const { notBefore, notAfter, ...bundle } = await openBundle(opened);
    return {
      ...identifier.answer(opened.requestId),
      referenceTransaction: opened.referenceTransaction,
      ...bundle,
      notBefore: formatTime(notBefore),
      notAfter: formatTime(notAfter),
      results: opened.results,
    };
  };
}
