import type { UseCase } from '@rubrica/wiring';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { RequestsDeps } from '../deps.ts';
import { applicantActor } from '../request/actors.ts';
import { verifyRequest } from '../request/registered/verify-request.ts';
import { lockById } from '../request/request.repository.ts';
import { createClaimToken } from './claim-link.ts';
import { findDeadLink } from './dead-link.ts';
import { replaceLink } from './replace-link.ts';

type RenewLink = UseCase<'intake', 'claims.renewLink'>;

/**
 * Sends a new link to the address on file, for a caller with a dead one of the same request. The caller
 * learns nothing of it, and gets nothing that the owner of the address did not have.
 * @throws AppError CLAIM_LINK_INVALID, REQUEST_STATE_NOT_ALLOWED, RESEND_LIMIT_EXCEEDED, RATE_LIMITED
 */
export function createRenewLink(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'keyring'>,
): RenewLink {
  return async ({ sealedToken }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const { requestId } = await findDeadLink(deps.database, tokenSha256, deps.clock());
    const token = await createClaimToken(deps.keyring, requestId);
    return deps.database.transaction(async (em) => {
      const request = await lockById(em, requestId);
      if (!request) throw requestNotFound();
      await verifyRequest(em, deps.rows, request);
      const now = deps.clock();
      const link = await findDeadLink(em, tokenSha256, now);
      if (!link.isClaimable) throw stateNotAllowed(link.status);
      const count = link.ownResendCount;
      await replaceLink(em, request, {
        ...{ token, now, mailId: deps.newId(), actor: applicantActor, count, ownResends: 1 },
        intervalSeconds: deps.rules.resendIntervalSeconds,
        rows: deps.rows,
      });
      return {};
    });
  };
}
