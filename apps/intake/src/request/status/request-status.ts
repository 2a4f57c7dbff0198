import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { findOwn } from '../request.repository.ts';
import { certificateOf } from './certificate-state.ts';
import { toStatusRecord } from './status-record.ts';

type RequestStatus = UseCase<'intake', 'requests.status'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createRequestStatus(
  deps: Pick<IntakeDeps, 'database' | 'peers' | 'logger' | 'clock'>,
): RequestStatus {
  return async (input, { caller: { partnerId } }) => {
    const request = await findOwn(deps.database.fork(), { ...input, partnerId });
    return toStatusRecord(request, await certificateOf(request, deps));
  };
}
