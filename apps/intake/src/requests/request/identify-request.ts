import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../deps.ts';
import { findOwn } from './request.repository.ts';

type IdentifyRequest = UseCase<'intake', 'requests.identify'>;

/**
 * The id of a request that its partner has named by reference, asked before something is sealed for it. Any scope will
 * do: the call that follows asks for its own.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createIdentifyRequest({ database }: Pick<RequestsDeps, 'database'>): IdentifyRequest {
  return async (input, { caller: { partnerId } }) => {
    const { id } = await findOwn(database.fork(), { ...input, partnerId });
    return { requestId: id };
  };
}
