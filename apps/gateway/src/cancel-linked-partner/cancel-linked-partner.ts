import { cancelShape } from '@rubrica/contracts';
import { formatLocalDateTime } from '@rubrica/service';
import { partnerOf } from '../context.ts';
import { assertFaultless } from '../fields/assert-faultless.ts';
import { identifierFaults, namesRequest, toRequestIdentifier } from '../fields/identifier.ts';
import { parseFields } from '../fields/parse-fields.ts';
import { bodyPlan } from '../rest/body-plans.ts';
import type { Handler, RestDeps } from '../rest/deps.ts';

/** Cancels a request that is not yet in generation. */
export function createCancelLinkedPartner(
  deps: Pick<RestDeps, 'peers' | 'readBody' | 'limits' | 'timeZone'>,
): Handler {
  const plan = bodyPlan('cancelLinkedPartner', deps.limits);
  return async (request) => {
    const body = await deps.readBody(request.raw, plan);
    const { values, faults: found } = parseFields(cancelShape, body.fields);
    const faults = [...found, ...identifierFaults(values, found)];
    if (!namesRequest(values)) assertFaultless(faults);
    const { reason } = values;
    const cancelled = await deps.peers.intake.requests.cancel.mutate(
      { ...toRequestIdentifier(values), faults, ...(reason === undefined ? {} : { reason }) },
      deps.peers.as(partnerOf(request)),
    );
    return {
      linkedPartnerRequestId: cancelled.requestId,
      referenceTransaction: cancelled.referenceTransaction,
      status: cancelled.status,
      validationStatus: cancelled.validationStatus,
      updatedDate: formatLocalDateTime(new Date(cancelled.updatedAt), deps.timeZone),
    };
  };
}
