import type { OperationId } from '@rubrica/contracts/rest/operations';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { cancelReason } from '@rubrica/contracts/shared/identifiers';
import { formatLocalDateTime } from '@rubrica/process/time';
import { createOperationBodyPlan } from '../../body/body.ts';
import { requirePartner } from '../../context.ts';
import { createIdentifier } from '../../fields/identifier.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';

/** Cancels a request of `family` that is not yet in generation. */
export function createCancelRequest(
  deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'limits' | 'timeZone'>,
  {
    operation,
    family,
  }: { readonly operation: OperationId; readonly family: requestsContract.CancellableFamily },
): Handler {
  const plan = createOperationBodyPlan(operation, deps.limits);
  const identifier = createIdentifier(family);
  return async (request) => {
    const body = await deps.readJsonBody(request, plan);
    const { reference, values, faults } = identifier.fromBody(body.fields, {
      shape: { reason: cancelReason },
    });
    const { reason } = values;
    const cancelled = await deps.peers.intake['requests.cancel'](
      { ...reference, faults, ...(reason === undefined ? {} : { reason }) },
      { for: requirePartner(request) },
    );
    return {
      ...identifier.answer(cancelled.requestId),
      referenceTransaction: cancelled.referenceTransaction,
      status: cancelled.status,
      validationStatus: cancelled.validationStatus,
      updatedDate: formatLocalDateTime(new Date(cancelled.updatedAt), deps.timeZone),
    };
  };
}
