import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../deps.ts';
import { findOwn } from './request.repository.ts';

type IdentifyRequest = UseCase<'intake', 'requests.identify'>;

/**
 * Returns the id of a request that its partner names by reference, before something is sealed for it. Any
 * scope suffices: the call that follows checks its own.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createIdentifyRequest({ database }: Pick<RequestsDeps, 'database'>): IdentifyRequest {
  return async (input, { caller: { partnerId } }) => {
    const { id } = await findOwn(database.fork(), { ...input, partnerId });
    return { requestId: id };
  };
}
