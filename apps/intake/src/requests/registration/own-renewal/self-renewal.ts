import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process';
import type { PartnerSettings } from '../../../access/partners/partner-directory.ts';
import { refuseBody } from '../../../base/errors.ts';
import type { FoundClaim } from '../../claim/find-claim.ts';
import type { RequestsDeps } from '../../deps.ts';
import { familyPlans } from '../../request/family-plans.ts';
import { findOwnById } from '../../request/request.repository.ts';
import { refuseWithoutQuota } from '../dry-run.ts';
import { findBodyFaults } from '../examine-registration.ts';
import { findFormerEvidence } from '../renewal/carry-evidence.ts';
import { type FormerRequest, requireRenewable } from '../renewal/find-renewable.ts';
import { notRenewable } from '../renewal/judge-renewal.ts';
import { planRenewal, type RenewalRequest } from '../renewal/plan-renewal.ts';
import { examineRenewal, type RenewalDeps } from '../renewal/register-renewal.ts';
import { findFreeReference } from './free-reference.ts';

export type SelfRenewalDeps = RenewalDeps & Pick<RequestsDeps, 'logger' | 'rows' | 'sandbox'>;

/** Renewal that its subscriber may make. */
export interface OwnRenewal {
  readonly former: FormerRequest;
  readonly partner: PartnerSettings;
  readonly wish: RenewalRequest;
}

/** Stand-in for a password that is not known yet. */
const somePassword = 'chosen later';

/**
 * Builds the renewal as its subscriber would make it now, of the request to whose telephone the code goes. A
 * serial number that was written to that request names nothing.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, RENEWAL_NOT_OPEN, SERVICE_UNAVAILABLE if it is unknown whether
 *   the certificate was revoked
 */
async function buildRenewal(
  deps: SelfRenewalDeps,
  { partnerId, requestId: formerId }: FoundClaim,
  { requestId, sealedPassword = somePassword }: { requestId: string; sealedPassword?: string },
): Promise<OwnRenewal> {
  const partner = await deps.partners.get(partnerId).catch((error: unknown) => {
    // The partner is disabled.
    throw error instanceof AppError && error.code === 'FORBIDDEN' ? notAlone() : error;
  });
  if (!partner.holderRenewal) throw notAlone();
  const linked = await findOwnById(deps.database.fork(), { partnerId, id: formerId });
  if (linked === null) throw notAlone();
  const { former, renewalNumber } = await requireRenewable(deps, linked);
  // In these families the partner keeps the file and its password, or proves presence anew.
  if (familyPlans[former.family].claim === 'never') throw notAlone();
  const referenceTransaction = await findFreeReference(deps.database, former);
  const given = { referenceTransaction, fields: {}, files: [], sealedPassword };
  return { former, partner, wish: { requestId, former, renewalNumber, given, supersedes: false } };
}

/**
 * Checks whether the subscriber may renew alone, as far as that is known without the registries, for each
 * view of the page.
 * @throws AppError QUOTA_EXCEEDED, APPOINTMENT_EXPIRED, REQUEST_STATE_NOT_ALLOWED, RENEWAL_NOT_OPEN,
 *   SERVICE_UNAVAILABLE
 */
export async function assertSelfRenewable(deps: SelfRenewalDeps, found: FoundClaim): Promise<void> {
  const now = deps.clock();
  const { wish, partner } = await buildRenewal(deps, found, { requestId: found.requestId });
  const stored = await findFormerEvidence(deps, wish.former);
  const { input } = planRenewal(wish, stored);
  const faults = findBodyFaults(input, { partner, now }, deps);
  if (faults.length > 0) throw toSubscriberError(refuseBody(faults));
  await mapToRenewalError(() => refuseWithoutQuota(deps, { input, partnerId: partner.id, now }));
}

/**
 * Checks the same with all that the registration demands, including the age: before a code is sent, and again
 * before the renewal is made.
 * @throws AppError AUTHORIZATION_VIDEO_REQUIRED too
 */
export async function examineSelfRenewal(
  deps: SelfRenewalDeps,
  found: FoundClaim,
  given: { readonly requestId: string; readonly sealedPassword?: string },
) {
  const renewal = await buildRenewal(deps, found, given);
  const registering = { partner: renewal.partner, now: deps.clock() };
  const examined = await mapToRenewalError(() => examineRenewal(deps, renewal.wish, registering));
  await mapToRenewalError(() =>
    refuseWithoutQuota(deps, { input: examined.input, partnerId: renewal.partner.id, ...registering }),
  );
  return { ...renewal, ...registering, ...examined };
}

/** Codes that are reported to the subscriber; all others concern us and the partner. */
const reportedCodes: readonly ErrorCode[] = [
  'APPOINTMENT_EXPIRED',
  'AUTHORIZATION_VIDEO_REQUIRED',
  'QUOTA_EXCEEDED',
];

/**
 * Reduces a refusal to its code: without the partner's figures, and without fields, of which the subscriber
 * has filled in none.
 */
function toSubscriberError(refusal: AppError): AppError {
  const codes = [refusal.code, ...refusal.details.map(({ code }) => code)];
  const code = reportedCodes.find((reported) => codes.includes(reported));
  if (code === undefined) return notAlone();
  const { retryAfterSeconds } = refusal;
  return new AppError({ code, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
}

/** Maps refusals of a registration to those for the subscriber. */
export async function mapToRenewalError<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || transientCodes.includes(error.code)) throw error;
    throw toSubscriberError(error);
  }
}

/** Codes of temporary system failures, and of a reference that another request took first. */
const transientCodes: readonly ErrorCode[] = [
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
  'DUPLICATED_REFERENCE_TRANSACTION',
];

function notAlone(): AppError {
  return notRenewable(createText('request.renewalElsewhere'));
}
