import { createCatalogueText } from '@rubrica/contracts/error-texts/create-text';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { crashpoint } from '@rubrica/process/crashpoint';
import type { UseCase } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { RequestsDeps } from '../deps.ts';
import { applicantActor } from '../request/actors.ts';
import { applyTransition } from '../request/apply-transition.ts';
import { lockById } from '../request/request.repository.ts';
import type { SideEffects } from '../request/write-transition.ts';
import type { FoundClaim, LinkDeps } from './find-claim.ts';
import { deriveReport, viewClaim } from './view-claim.ts';

type ReportClaim = UseCase<'intake', 'claims.report'>;
type ReportClaimDeps = Pick<
  RequestsDeps,
  'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'keyring' | 'logger'
> &
  LinkDeps;

const outcomes = {
  DISPUTED: { trigger: 'dispute', code: 'APPLICANT_DISPUTED' },
  // Checked once more with the data that the partner corrects.
  DATA_WRONG: { trigger: 'reportWrongData', code: 'APPLICANT_DATA_WRONG', failedStep: 'validation' },
} as const satisfies Readonly<Record<claimsContract.ClaimReport, object>>;

/**
 * Side effects that end the link and its codes; after a correction a new link is sent, to be claimed anew.
 */
const endLink: SideEffects = {
  columns: { sealed_password: null },
  updates: [
    'update message set sealed_secret = null from request where message.request_id = request.id',
    'update claim_code set digest = null, sealed_key = null from request where claim_code.request_id = request.id',
  ],
};

/**
 * Accepts the applicant's report that they did not ask for the certificate, or that its data are wrong. The
 * link is enough: it changes nothing but what its owner could leave unclaimed too. A repeat, or a concurrent
 * call, gets the answer of the first.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED
 */
export function createReportClaim(deps: ReportClaimDeps): ReportClaim {
  return async ({ sealedToken, report }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const { code, trigger, ...rest } = outcomes[report];
    const reported = await deps.database.transaction(async (em) => {
      const claim = await deps.links.lock(em, tokenSha256, deps.clock);
      if (isRepeated(claim, report)) return undefined;
      if (claim.state !== 'OPEN') throw stateNotAllowed(claim.status);
      const request = await lockById(em, claim.requestId);
      if (!request) throw requestNotFound();
      await applyTransition(em, request, trigger, {
        ...rest,
        code,
        text: createCatalogueText(code),
        now: claim.now,
        actor: applicantActor,
        newId: deps.newId,
        rows: deps.rows,
        errorWindowDays: deps.rules.errorWindowDays,
        retention: deps.rules.retention,
        sideEffects: trigger === 'dispute' ? {} : endLink,
      });
      return claim.requestId;
    });
    if (reported !== undefined) {
      crashpoint(crashPoints.afterReport);
      if (report === 'DISPUTED')
        deps.logger.warn({ requestId: reported }, 'certificate request disputed by its applicant');
    }
    return viewClaim(deps, { tokenSha256 });
  };
}

function isRepeated(claim: FoundClaim, report: claimsContract.ClaimReport): boolean {
  return claim.state === 'ENDED' && deriveReport(claim) === report;
}
