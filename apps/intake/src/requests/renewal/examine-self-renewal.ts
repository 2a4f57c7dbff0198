import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { PartnerSettings } from '../../access/partners/partner-directory.ts';
import { refuseBody } from '../../base/errors.ts';
import type { FoundClaim } from '../claim/find-claim.ts';
import type { RequestsDeps } from '../deps.ts';
import { findBodyFaults } from '../registration/examine-registration.ts';
import { familyPlans } from '../request/family-plans.ts';
import { refuseWithoutQuota } from '../request/quota.ts';
import type { Request } from '../request/request.entity.ts';
import { findOwnById } from '../request/request.repository.ts';
import { findFormerEvidence } from './carry-evidence.ts';
import { examineRenewal, planRenewal, type RenewalDeps, type RenewalRequest } from './examine-renewal.ts';
import { type FormerRequest, notRenewable, requireRenewable } from './find-renewable.ts';

export type SelfRenewalDeps = RenewalDeps & Pick<RequestsDeps, 'logger' | 'rows' | 'sandbox'>;

/** Renewal that its subscriber may make. */
export interface SelfRenewal {
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
): Promise<SelfRenewal> {
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
  await refuseWithoutQuota(deps, { input, partnerId: partner.id, now }).catch(throwForSubscriber);
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
  const examined = await examineRenewal(deps, renewal.wish, registering).catch(throwForSubscriber);
  const quota = { input: examined.input, partnerId: renewal.partner.id, ...registering };
  await refuseWithoutQuota(deps, quota).catch(throwForSubscriber);
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

/** Rethrows the refusal of a registration as one for the subscriber. */
export function throwForSubscriber(error: unknown): never {
  if (!(error instanceof AppError) || transientCodes.includes(error.code)) throw error;
  throw toSubscriberError(error);
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

/** Length of the former reference that is kept, so that a number fits behind it. */
const keptLength = 140;
const maxRenewals = 10_000;

/** Returns the prefix of renewals of that reference; a surrogate pair is never cut in two. */
function renewalPrefix(referenceTransaction: string): string {
  return `${referenceTransaction.slice(0, keptLength).replace(/[\uD800-\uDBFF]$/, '')}-R`;
}

const firstFree = statement<
  { readonly partnerId: string; readonly prefix: string },
  { readonly reference: string }
>({
  name: 'free-renewal-reference',
  sql: `
select :prefix::text || number as reference from generate_series(1, ${maxRenewals}) as number
where not exists (
  select from request where partner_id = :partnerId and reference_transaction = :prefix::text || number
) order by number limit 1`,
});

/** Finds a free `referenceTransaction` for a renewal by the subscriber. */
async function findFreeReference(
  target: StatementTarget,
  { partnerId, referenceTransaction }: Pick<Request, 'partnerId' | 'referenceTransaction'>,
): Promise<string> {
  const prefix = renewalPrefix(referenceTransaction);
  const [free] = await firstFree.run(target, { partnerId, prefix });
  if (!free) throw new Error('a certificate that has been renewed ten thousand times');
  return free.reference;
}
