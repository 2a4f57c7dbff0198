import type { EntityManager } from '@mikro-orm/postgresql';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { AppError, crashpoint } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import { crashPoints } from '../../base/crash-points.ts';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { RequestsDeps } from '../deps.ts';
import { applicantActor } from '../request/actors.ts';
import { applyTransition } from '../request/apply-transition.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { computePasswordSha256 } from '../request/registered/registered-data.ts';
import { verifyRequest } from '../request/registered/verify-request.ts';
import { lockById } from '../request/request.repository.ts';
import { type ActiveTerms, findActiveTerms, toAcceptanceInsert } from '../request/terms-acceptance.ts';
import { requireAcceptedTerms } from './check-terms.ts';
import { issueTicket, planTicket } from './claim-ticket.ts';
import type { LinkDeps } from './link-store.ts';
import { renewRetrieval } from './renew-retrieval.ts';
import { viewClaim } from './view-claim.ts';
import { withVerifiedClaim } from './with-verified-claim.ts';

type Input = z.output<typeof claimsContract.claimInput>;
type ClaimRequest = UseCase<'intake', 'claims.claim'>;
type ClaimRequestDeps = Pick<
  RequestsDeps,
  'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'keyring' | 'peers'
> &
  LinkDeps;

/**
 * Claims a request, once. The code is used up, password and acceptance are stored, generation is started and
 * the download is opened to the claimer, all in one transaction. Terms are read before it, and before the
 * code is tried: outdated or missing terms cost no try. A repeat, or a concurrent call, gets the answer of
 * the claim itself.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED, NO_ACTIVE_TERMS,
 *   TERMS_NOT_ACCEPTED, TERMS_OUTDATED, OTP_INVALID, OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED, SERVICE_UNAVAILABLE
 */
export function createClaimRequest(deps: ClaimRequestDeps): ClaimRequest {
  const write = async (
    em: EntityManager,
    input: Input,
    acceptance: { requestId: string; terms: ActiveTerms; retrieval: DependentInsert; now: Date },
  ) => {
    const request = await lockById(em, acceptance.requestId);
    if (!request) throw requestNotFound();
    await verifyRequest(em, deps.rows, request);
    request.language = input.language;
    request.passwordSha256 = computePasswordSha256(input.sealedPassword);
    await applyTransition(em, request, 'claim', {
      now: acceptance.now,
      actor: applicantActor,
      newId: deps.newId,
      rows: deps.rows,
      errorWindowDays: deps.rules.errorWindowDays,
      sideEffects: {
        columns: { sealed_password: input.sealedPassword },
        inserts: [
          toAcceptanceInsert(request.id, acceptance.terms, { ...input, at: acceptance.now }),
          acceptance.retrieval,
        ],
      },
    });
  };
  return async (input, { peer }) => {
    const { sealedToken, termsId } = input;
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const proof = { ...input, tokenSha256 };
    const answerRepeat = async () => ({
      ...(await viewClaim(deps, { tokenSha256 })),
      retrieval: await renewRetrieval(deps, { ...proof, peer }),
    });
    const seen = await deps.links.find(deps.database, tokenSha256, deps.clock());
    if (seen.state === 'ENDED') throw stateNotAllowed(seen.status);
    if (seen.state !== 'OPEN') return answerRepeat();
    const terms = requireAcceptedTerms(await findActiveTerms(deps.peers, seen.certificateType), termsId);
    const ticket = await issueTicket(deps, { tokenSha256, peer });
    const claimed = await withVerifiedClaim(deps, { ...proof, state: 'OPEN' }, async ({ em, claim, now }) => {
      const { requestId } = claim;
      const { insert, right } = planTicket(ticket, { requestId, purpose: 'download', now });
      await write(em, input, { requestId, terms, retrieval: insert, now });
      return right;
    });
    if (claimed) crashpoint(crashPoints.afterClaim);
    const answer = claimed
      ? { ...(await viewClaim(deps, { tokenSha256 })), retrieval: claimed.done }
      : await answerRepeat();
    // The request was cancelled before the lock was acquired.
    if (answer.state === 'ENDED') throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
    return answer;
  };
}
