import type { OperatorUseCase } from '@rubrica/wiring';
import { requestNotFound } from '../../base/errors.ts';
import { findRenewals } from '../../requests/request/renewals.ts';
import { RequestEntity } from '../../requests/request/request.entity.ts';
import { findShownCertificate } from '../../requests/request/status/certificate-state.ts';
import { toStatusRecord } from '../../requests/request/status/status-record.ts';
import type { DeskDeps } from '../deps.ts';

type GetRequest = OperatorUseCase<'requests.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetRequest(
  deps: Pick<DeskDeps, 'database' | 'peers' | 'logger' | 'clock'>,
): GetRequest {
  return async ({ requestId }) => {
    const request = await deps.database.fork().findOne(RequestEntity, { id: requestId });
    if (!request) throw requestNotFound();
    const { family, partnerId, callbackUrl } = request;
    const renewals = await findRenewals(deps.database, requestId);
    const record = toStatusRecord({ ...request, ...renewals }, await findShownCertificate(request, deps));
    return { ...record, family, partnerId, callbackUrl };
  };
}
