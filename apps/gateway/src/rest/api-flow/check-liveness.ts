import { livenessCheckShape } from '@rubrica/contracts/rest/api-flow';
import { requirePartner } from '../../context.ts';
import { requestOwner } from '../../fields/request-owner.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { createReadStep } from './read-step.ts';

/** Requests the outcome of a proof of life. */
export function createCheckLiveness(
  deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'limits' | 'keyring'>,
): Handler {
  const read = createReadStep(deps, 'checkLiveness', livenessCheckShape);
  return async (request) => {
    const { signatureRequestId: requestId = '', livenessSessionId = '' } = await read(request);
    const options = { for: requirePartner(request) };
    const binding = { purpose: 'liveness-session', owner: requestOwner(requestId) } as const;
    const sealedSession = await deps.keyring.sealTo('intake', livenessSessionId, binding);
    const input = { requestId, sealedSession };
    const checked = await deps.peers.intake['signature.checkLiveness'](input, options);
    return { livenessSessionId, ...checked };
  };
}
