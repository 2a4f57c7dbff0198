import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { requestNotFound } from '../errors.ts';
import { findRenewals } from '../request/renewals.ts';
import { RequestEntity } from '../request/request.entity.ts';
import { certificateOf } from '../request/status/certificate-state.ts';
import { toStatusRecord } from '../request/status/status-record.ts';

type GetRequest = OperatorUseCase<'requests.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetRequest(
  deps: Pick<IntakeDeps, 'database' | 'peers' | 'logger' | 'clock'>,
): GetRequest {
  return async ({ requestId }) => {
    const request = await deps.database.fork().findOne(RequestEntity, { id: requestId });
    if (!request) throw requestNotFound();
    const { family, partnerId, callbackUrl } = request;
    const renewals = await findRenewals(deps.database, requestId);
    const record = toStatusRecord({ ...request, ...renewals }, await certificateOf(request, deps));
    return { ...record, family, partnerId, callbackUrl };
  };
}
