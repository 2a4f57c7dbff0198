import { livenessRequestSchema, maxStepAttempts } from '@rubrica/contracts/rest/api-flow';
import { formatLocalDateTime } from '@rubrica/process/time';
import { requirePartner } from '../../context.ts';
import { requestOwner } from '../../fields/request-owner.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { createReadStep } from './read-step.ts';

type Deps = Pick<RestDeps, 'peers' | 'readJsonBody' | 'limits' | 'openSealed' | 'timeZone'>;

/** Starts a proof of life, or returns the open one. */
export function createRequestLiveness(deps: Deps): Handler {
  const read = createReadStep(deps, 'requestLiveness', livenessRequestSchema.shape);
  return async (request) => {
    const { signatureRequestId: requestId = '' } = await read(request);
    const options = { for: requirePartner(request) };
    const session = await deps.peers.intake['signature.requestLiveness']({ requestId }, options);
    const owner = requestOwner(requestId);
    return {
      livenessSessionId: await deps.openSealed(session.sealedSession, {
        purpose: 'liveness-session',
        owner,
      }),
      livenessUrl: await deps.openSealed(session.sealedUrl, { purpose: 'liveness-url', owner }),
      expiresAt: formatLocalDateTime(new Date(session.expiresAt), deps.timeZone),
      attemptNumber: session.attemptNumber,
      maxAttempts: maxStepAttempts,
    };
  };
}
