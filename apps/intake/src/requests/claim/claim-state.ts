import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process';

/** Columns of a request that determine what its link is valid for. */
export interface LinkedRequest {
  readonly status: Status;
  readonly passwordOrigin: 'PARTNER' | 'SERVICE' | 'HOLDER';
  /** True while the applicant's password is stored, from the claim until the request has ended. */
  readonly isClaimed: boolean;
  readonly claimExpiresAt: Date | null;
  readonly downloadUntil: Date | null;
}

function linkExpired() {
  return new AppError({ code: 'CLAIM_LINK_EXPIRED' });
}

/**
 * Determines what the newest link of a request is valid for at `now`. The clock decides, not the sweeper,
 * which comes later.
 * @throws AppError CLAIM_LINK_EXPIRED once the claim window is over without a claim
 */
export function determineClaimState(request: LinkedRequest, now: Date): claimsContract.ClaimState {
  // The partner gave a password before a claim: the applicant does not fetch the file here.
  if (request.passwordOrigin !== 'HOLDER') return 'ENDED';
  switch (request.status) {
    case 'APPROVED':
      if (request.claimExpiresAt === null || now >= request.claimExpiresAt) throw linkExpired();
      return 'OPEN';
    case 'GENERATED':
      return request.downloadUntil !== null && now < request.downloadUntil ? 'ISSUED' : 'DOWNLOAD_ENDED';
    case 'REFUSED':
    case 'CANCELLED':
      return 'ENDED';
    case 'EXPIRED':
      throw linkExpired();
    default:
      // After the claim: an error, and the steps that run again to repair it. Before it: data that the
      // applicant found wrong.
      return request.isClaimed ? 'IN_PROGRESS' : 'ENDED';
  }
}

/** Finds the obstacle that keeps a claimed request from its certificate for longer than issuance takes. */
export function findObstacle(
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

/** Purpose of a ticket in each state. A state that is missing here needs neither ticket nor code. */
export const ticketPurposes: { readonly [S in claimsContract.ClaimState]?: 'claim' | 'download' } = {
  OPEN: 'claim',
  ISSUED: 'download',
};
