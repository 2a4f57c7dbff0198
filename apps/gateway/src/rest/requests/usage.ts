import { usageQuery } from '@rubrica/contracts/rest/usage';
import { requirePartner } from '../../context.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { parseQuery } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';

/** Returns the partner's usage in a month. */
export function createUsage({ peers }: Pick<RestDeps, 'peers'>): Handler {
  return (request) => {
    const { values, faults } = parseQuery(usageQuery.shape, request.query);
    assertFaultless(faults);
    return peers.intake['requests.usage'](values, { for: requirePartner(request) });
  };
}
