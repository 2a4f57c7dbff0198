import { testEventShape } from '@rubrica/contracts/rest/lists';
import { createOperationBodyPlan } from '../../body/body.ts';
import { requirePartner } from '../../context.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';

/** Sends a signed example event to a receiver of the calling partner. */
export function createTestEvent(deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'limits'>): Handler {
  const plan = createOperationBodyPlan('testEvent', deps.limits);
  return async (request) => {
    const { fields } = await deps.readJsonBody(request, plan);
    const { values, faults } = parseFields(testEventShape, fields);
    assertFaultless(faults);
    const { type, url } = values;
    if (type === undefined || url === undefined) throw new Error('a faultless body has type and url');
    return deps.peers.notifier['events.test']({ type, url }, { for: requirePartner(request) });
  };
}
