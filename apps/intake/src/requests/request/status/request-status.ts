import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../../deps.ts';
import { findShownCertificate } from './certificate-state.ts';
import { findStatusRow } from './find-status-row.ts';
import { toStatusRecord } from './status-record.ts';

type RequestStatus = UseCase<'intake', 'requests.status'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createRequestStatus(
  deps: Pick<RequestsDeps, 'database' | 'peers' | 'logger' | 'clock'>,
): RequestStatus {
  return async (input, { caller: { partnerId } }) => {
    const request = await findStatusRow(deps.database, { ...input, partnerId }, deps.database);
    return toStatusRecord(request, await findShownCertificate(request, deps));
  };
}
