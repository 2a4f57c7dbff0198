import { requirePartner } from '../../context.ts';
import { createIdentifier } from '../../fields/identifier.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { isCurrentVersion } from './answer-version.ts';
import { formatRenewalTag } from './renewal-etag.ts';

/** Returns the result of each check of a transactional request, with the record's version as ETag. */
export function createValidationStatus(deps: Pick<RestDeps, 'peers'>): Handler {
  const identifier = createIdentifier('FT');
  return async (request, reply) => {
    const found = await deps.peers.intake['requests.validationResults'](identifier.fromQuery(request.query), {
      for: requirePartner(request),
    });
    const { requestId, version, ...answer } = found;
    const tag = [version, formatRenewalTag(found)].filter((part) => part !== null).join('-');
    const current = { etag: `"${tag}"`, status: found.status };
    if (isCurrentVersion({ request, reply }, current)) return reply.code(304).send();
    return { ...identifier.answer(requestId), ...answer };
  };
}
