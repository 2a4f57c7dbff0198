import { advanceShape, type SandboxOperationId, sandboxOperations } from '@rubrica/contracts/rest/sandbox';
import { formatLocalDateTime } from '@rubrica/process/time';
import { createBodyPlan } from '../body/body.ts';
import { requirePartner } from '../context.ts';
import { assertFaultless } from '../fields/assert-faultless.ts';
import { parseFields } from '../fields/parse-fields.ts';
import type { Handler } from '../http/handler.ts';
import type { RestDeps } from './deps.ts';

/** Creates one use case per row of the contracts' table of the sandbox. */
export function createSandboxHandlers(
  deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'limits' | 'timeZone'>,
): Record<SandboxOperationId, Handler> {
  const plan = createBodyPlan(sandboxOperations.advanceClock, deps.limits);
  return {
    async advanceClock(request) {
      const body = await deps.readJsonBody(request, plan);
      const { values, faults } = parseFields(advanceShape, body.fields);
      assertFaultless(faults);
      const { referenceTransaction, days } = values;
      if (referenceTransaction === undefined || days === undefined)
        throw new Error('a faultless body has both');
      const input = { referenceTransaction, days };
      const advanced = await deps.peers.intake['sandbox.advance'](input, { for: requirePartner(request) });
      return { ...advanced, now: formatLocalDateTime(new Date(advanced.now), deps.timeZone) };
    },
  };
}
