import type { EntityManager } from '@mikro-orm/postgresql';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { AppError, crashpoint } from '@rubrica/process';
import type { z } from 'zod';
import { crashPoints } from '../crash-points.ts';
import type { Dependencies } from '../dependencies.ts';
import { requestNotFound, stateNotAllowed } from '../errors.ts';
import { applyTransition } from '../request/apply-transition.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { lockById } from '../request/request.repository.ts';
import { checkTerms, type Terms } from './check-terms.ts';
import { findClaim } from './find-claim.ts';
import { tryCode } from './try-code.ts';
import { createViewClaim } from './view-claim.ts';

type Input = z.output<typeof claimsContract.claimInput>;
type Needs = Pick<Dependencies, 'database' | 'clock' | 'newId' | 'rules' | 'keyring' | 'activeTerms'>;

function acceptance(requestId: string, input: Input, accepted: { terms: Terms; now: Date }): DependentInsert {
  const { terms, now } = accepted;
  const row = terms && {
    request_id: requestId,
    terms_id: terms.id,
    terms_version: terms.version,
    at: now,
    language: input.language,
    remote_address: input.remoteAddress,
    user_agent: input.userAgent,
  };
  return { table: 'terms_acceptance', rows: row ? [row] : [] };
}

/**
 * Claims a request, once: the code is used up, the holder's password and acceptance are kept and generation is
 * started, all in one transaction. Terms are asked for before it, and before the code is tried: outdated terms cost
 * no try. Whoever comes again, or second, after a claim is answered as if it were theirs.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED, TERMS_NOT_ACCEPTED,
 *   TERMS_OUTDATED, OTP_INVALID, OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED, SERVICE_UNAVAILABLE
 */
export function createClaimRequest(deps: Needs) {
  const view = createViewClaim(deps);
  const write = async (
    em: EntityManager,
    input: Input,
    accepted: { requestId: string; terms: Terms; now: Date },
  ) => {
    const request = await lockById(em, accepted.requestId);
    if (!request) throw requestNotFound();
    request.language = input.language;
    await applyTransition(em, request, 'claim', {
      now: accepted.now,
      actor: 'holder',
      newId: deps.newId,
      errorWindowDays: deps.rules.errorWindowDays,
      besides: {
        columns: { sealed_password: input.sealedPassword },
        inserts: [acceptance(request.id, input, accepted)],
      },
    });
  };
  return async (input: Input): Promise<claimsContract.ClaimView> => {
    const { tokenSha256, sealedCode, termsId } = input;
    const seen = await findClaim(deps.database, tokenSha256, deps.clock());
    if (seen.state === 'ENDED') throw stateNotAllowed(seen.status);
    if (seen.state !== 'OPEN') return view(input);
    const terms = await deps.activeTerms(seen.certificateType);
    checkTerms(terms, termsId);
    const attempt = { tokenSha256, sealedCode, state: 'OPEN' } as const;
    const claimed = await tryCode(deps, attempt, ({ em, claim, now }) =>
      write(em, input, { requestId: claim.requestId, terms, now }),
    );
    if (claimed) crashpoint(crashPoints.afterClaim);
    const answer = await view(input);
    // It was cancelled before the lock was had.
    if (answer.state === 'ENDED') throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
    return answer;
  };
}
