import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import type { UseCase } from '@rubrica/wiring';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { RequestsDeps } from '../deps.ts';
import { toShownDeadline } from '../request/shown-deadline.ts';
import { codeRules, computeNextCodeAt, judge } from './code-rules.ts';
import type { FoundClaim, LinkDeps, LinkedRequest } from './find-claim.ts';
import { maskIdentification, selectCodeTarget } from './recipients.ts';

const nameParts = ['applicantName', 'applicantLastName', 'applicantSecondLastName'];

function toUsableCode(claim: FoundClaim, options: { now: Date; intervalSeconds: number }) {
  const purpose = claim.codePurpose;
  const judgement = purpose && judge(claim.codeHistory, { ...options, purpose });
  if (judgement?.kind !== 'try') return null;
  const { sentAt, expiresAt, tries } = judgement.code;
  return {
    sentAt: sentAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    triesLeft: codeRules.tries - tries,
  };
}

/**
 * Builds the view of the page: pure, without anything secret, and all that could identify a stranger is
 * masked.
 */
function toClaimView(
  claim: FoundClaim,
  options: { now: Date; channel: 'sms' | 'email'; intervalSeconds: number },
): claimsContract.ClaimView {
  const { details } = claim;
  const target = selectCodeTarget(details, options.channel);
  const text = (name: string) => (typeof details[name] === 'string' ? details[name] : '');
  return {
    requestId: claim.requestId,
    state: claim.state,
    obstacle: findObstacle(claim, claim.state),
    applicantName: nameParts.map(text).filter(Boolean).join(' '),
    identificationMasked: maskIdentification(claim.identificationNumber),
    applicationType: claim.applicationType,
    certificateType: claim.certificateType,
    period: claim.period,
    companySocialReason: text('companySocialReason') || null,
    partnerName: claim.partnerName,
    partnerEmail: claim.partnerEmail,
    hasLogo: claim.hasLogo,
    offersLegacyFile: claim.offersLegacyFile,
    expiresAt: toShownDeadline(claim.claimExpiresAt ?? options.now, claim).toISOString(),
    codeChannel: target.channel,
    codeSentTo: target.masked,
    code: toUsableCode(claim, options),
    nextCodeAt: computeNextCodeAt(claim.codeHistory, options).toISOString(),
    serialNumber: claim.serialNumber,
    notAfter: claim.notAfter?.toISOString() ?? null,
    downloadUntil: claim.downloadUntil && toShownDeadline(claim.downloadUntil, claim).toISOString(),
    reported: deriveReport(claim),
  };
}

export type ViewClaimDeps = Pick<RequestsDeps, 'database' | 'clock' | 'rules'> & LinkDeps;
type ViewClaim = UseCase<'intake', 'claims.view'>;

/**
 * Returns the view of a claim link for its caller; reading changes nothing.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED
 */
export async function viewClaim(
  { database, clock, rules, links }: ViewClaimDeps,
  { tokenSha256 }: { readonly tokenSha256: string },
): Promise<claimsContract.ClaimView> {
  const now = clock();
  const claim = await links.find(database, tokenSha256, now);
  const { claimCodeChannel: channel, codeIntervalSeconds: intervalSeconds } = rules;
  return toClaimView(claim, { now, channel, intervalSeconds });
}

export function createViewClaim(deps: ViewClaimDeps & Pick<RequestsDeps, 'keyring'>): ViewClaim {
  return async ({ sealedToken }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    return viewClaim(deps, { tokenSha256 });
  };
}

/** Finds the obstacle that keeps a claimed request from its certificate for longer than issuance takes. */
function findObstacle(
  { status, validationStatus }: { readonly status: Status; readonly validationStatus: ValidationStatus },
  state: claimsContract.ClaimState,
): claimsContract.ClaimView['obstacle'] {
  if (state !== 'IN_PROGRESS') return null;
  if (status === 'ERROR') return 'ERROR';
  return validationStatus === 'MANUALLY_VALIDATING' ? 'REVIEW' : null;
}

/** Derives the applicant's report on a request whose link has ended by it. */
export function deriveReport(
  request: LinkedRequest & { readonly errorCode: string | null },
): claimsContract.ClaimReport | null {
  if (request.passwordOrigin !== 'HOLDER') return null;
  if (request.status === 'REFUSED') return request.errorCode === 'APPLICANT_DISPUTED' ? 'DISPUTED' : null;
  const isCorrected = ['ERROR', 'REGISTERED', 'VALIDATING'].includes(request.status);
  return isCorrected && !request.isClaimed ? 'DATA_WRONG' : null;
}
