import type { UseCase } from '@rubrica/wiring';
import { refuseBody } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { toChangedAnswer } from '../request/changed-request.ts';
import { verifyRequest } from '../request/registered/verify-request.ts';
import { findOwn, lockOwn } from '../request/request.repository.ts';
import { toShownDeadline } from '../request/shown-deadline.ts';
import { createClaimToken } from './claim-link.ts';
import { maskEmail } from './recipients.ts';
import { maxResends, replaceLink } from './replace-link.ts';

type ResendLink = UseCase<'intake', 'requests.resendLink'>;

/**
 * Sends the claim mail again with a new link; the earlier link ends, the end of the claim window stays.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED, RESEND_LIMIT_EXCEEDED, RATE_LIMITED
 */
export function createResendLink(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'keyring'>,
): ResendLink {
  return async (input, { caller: { partnerId } }) => {
    if (input.faults.length > 0) throw refuseBody(input.faults);
    const requestKey = { ...input, partnerId, orRenewal: true } as const;
    // The sealed token is bound to the request's id, which the call need not name; a reference never changes
    // its request.
    const { id: requestId } = await findOwn(deps.database.fork(), requestKey);
    const token = await createClaimToken(deps.keyring, requestId);
    return deps.database.transaction(async (em) => {
      const request = await lockOwn(em, requestKey);
      await verifyRequest(em, deps.rows, request);
      const now = deps.clock();
      const { recipient, claimExpiresAt } = await replaceLink(em, request, {
        ...{ token, now, mailId: deps.newId(), actor: 'partner', count: request.resendCount, ownResends: 0 },
        intervalSeconds: deps.rules.resendIntervalSeconds,
        rows: deps.rows,
      });
      request.resendCount += 1;
      request.version += 1;
      request.updatedAt = now;
      return {
        ...toChangedAnswer(request),
        sentTo: maskEmail(recipient),
        resendCount: request.resendCount,
        resendsRemaining: maxResends - request.resendCount,
        linkExpiresAt: toShownDeadline(claimExpiresAt, request).toISOString(),
      };
    });
  };
}
