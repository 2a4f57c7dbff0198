import type { EntityManager } from '@mikro-orm/postgresql';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import { crashPoints } from '../../base/crash-points.ts';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { RequestsDeps } from '../deps.ts';
import { applicantActor } from '../request/actors.ts';
import { applyTransition } from '../request/apply-transition.ts';
import { computePasswordSha256 } from '../request/registered/registered-data.ts';
import { verifyRequest } from '../request/registered/verify-request.ts';
import { lockById } from '../request/request.repository.ts';
import {
  type ActiveTerms,
  findActiveTerms,
  requireAcceptedTerms,
  toAcceptanceInsert,
} from '../request/terms-acceptance.ts';
import { type IssuedTicket, issueTicket, planTicket, reissueDownloadTicket } from './claim-ticket.ts';
import type { LinkDeps } from './find-claim.ts';
import { type ClaimProof, lockProvenClaim, proveClaim, useUpCodes } from './prove-claim.ts';
import { viewClaim } from './view-claim.ts';

type Input = z.output<typeof claimsContract.claimInput>;
type ClaimRequest = UseCase<'intake', 'claims.claim'>;
type ClaimRequestDeps = Pick<
  RequestsDeps,
  'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'keyring' | 'peers'
> &
  LinkDeps;

/**
 * Claims a request, once. A repeat, or a concurrent call, gets the answer of the claim itself.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED, NO_ACTIVE_TERMS,
 *   TERMS_NOT_ACCEPTED, TERMS_OUTDATED, OTP_INVALID, OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED, SERVICE_UNAVAILABLE
 */
export function createClaimRequest(deps: ClaimRequestDeps): ClaimRequest {
  return async (input, { peer }) => {
    // 1. The link: one that was claimed before gets the answer of its claim.
    const tokenSha256 = await hashLinkToken(deps, input.sealedToken, { purpose: 'claim-token', peer });
    const { sealedCode, sealedRight } = input;
    const presented = { sealedCode, sealedRight, tokenSha256, peer };
    const seen = await deps.links.find(deps.database, tokenSha256, deps.clock());
    if (seen.state === 'ENDED') throw stateNotAllowed(seen.status);
    if (seen.state !== 'OPEN') return answerRepeat(deps, presented);

    // 2. The terms, before the code is tried: outdated or missing terms cost no try.
    const active = await findActiveTerms(deps.peers, seen.certificateType);
    const terms = requireAcceptedTerms(active, input.termsId);

    // 3. The code, or its ticket. A crash from here on spends the try.
    const download = await issueTicket(deps, { tokenSha256, peer });
    const proof = await proveClaim(deps, { ...presented, state: 'OPEN' });

    // 4. Under the request's lock, in one transaction: the code is used up, password and acceptance are stored,
    // generation is started, and the download is opened to the claimer. A crash before: none of it.
    const retrieval =
      proof &&
      (await deps.database.transaction((em) => writeClaim(em, deps, { input, proof, terms, download })));

    // 5. The answer. A crash loses it alone: a repeat gets it.
    if (retrieval !== undefined) crashpoint(crashPoints.afterClaim);
    const answer =
      retrieval === undefined
        ? await answerRepeat(deps, presented)
        : { ...(await viewClaim(deps, { tokenSha256 })), retrieval };
    // The request was cancelled before the lock was acquired.
    if (answer.state === 'ENDED') throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
    return answer;
  };
}

interface ClaimToWrite {
  readonly input: Input;
  readonly proof: ClaimProof;
  readonly terms: ActiveTerms;
  /** Ticket of the download. */
  readonly download: IssuedTicket;
}

/** @returns the ticket of the download; undefined if the request was claimed or ended before it was locked */
async function writeClaim(
  em: EntityManager,
  deps: ClaimRequestDeps,
  { input, proof, terms, download }: ClaimToWrite,
) {
  const claim = await lockProvenClaim(em, deps, proof);
  if (claim === undefined) return undefined;
  await useUpCodes(em, proof, claim);
  const { requestId, now } = claim;
  const request = await lockById(em, requestId);
  if (!request) throw requestNotFound();
  const verified = await verifyRequest(em, deps.rows, request);
  const { insert, ticket } = planTicket(download, { requestId, purpose: 'download', now });
  request.language = input.language;
  request.passwordSha256 = computePasswordSha256(input.sealedPassword);
  await applyTransition(em, request, 'claim', {
    now,
    actor: applicantActor,
    newId: deps.newId,
    rows: deps.rows,
    verified,
    errorWindowDays: deps.rules.errorWindowDays,
    sideEffects: {
      columns: { sealed_password: input.sealedPassword },
      inserts: [toAcceptanceInsert(requestId, terms, { ...input, at: now }), insert],
    },
  });
  return ticket;
}

async function answerRepeat(deps: ClaimRequestDeps, presented: Parameters<typeof reissueDownloadTicket>[1]) {
  const view = await viewClaim(deps, presented);
  return { ...view, retrieval: await reissueDownloadTicket(deps, presented) };
}
