import type { Status } from '@rubrica/contracts/shared/enumerations';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import { deleteExpired } from '../../base/sweeper-task.ts';
import type { RequestsDeps } from '../deps.ts';
import { maxResends } from './replace-link.ts';

export interface KnownLink {
  readonly requestId: string;
  readonly partnerName: string;
  readonly partnerEmail: string;
  readonly hasLogo: boolean;
  readonly status: Status;
  /** True if a newer link has replaced it. */
  readonly isReplaced: boolean;
  /** True while the request waits for its applicant: a newer link would be of use. */
  readonly isClaimable: boolean;
  /** True if nobody claimed it in time. */
  readonly isOver: boolean;
  readonly linkSentAt: string | null;
  readonly ownResendCount: number;
}

const find = statement<{ readonly tokenSha256: string; readonly now: Date }, KnownLink>({
  name: 'find-known-link',
  sql: `
select request.id as "requestId", partner.name as "partnerName", partner.email as "partnerEmail", status,
  exists (select from partner_logo as logo where logo.partner_id = partner.id) as "hasLogo",
  link.token_sha256 is distinct from request.claim_token_sha256 as "isReplaced",
  status = 'APPROVED' and password_origin = 'HOLDER' and claim_expires_at > :now::timestamptz as "isClaimable",
  status = 'EXPIRED' or (status = 'APPROVED' and claim_expires_at <= :now::timestamptz) as "isOver",
  link_sent_at as "linkSentAt", own_resend_count as "ownResendCount"
from claim_link as link join request on request.id = link.request_id join partner on partner.id = request.partner_id
where link.token_sha256 = :tokenSha256 and link.expires_at > :now::timestamptz`,
});

/**
 * Finds a link that was issued once and opens nothing any more.
 * @throws AppError CLAIM_LINK_INVALID, REQUEST_STATE_NOT_ALLOWED
 */
export async function findDeadLink(
  target: StatementTarget,
  tokenSha256: string,
  now: Date,
): Promise<KnownLink> {
  const [link] = await find.run(target, { tokenSha256, now });
  if (!link) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  if (!link.isReplaced && !link.isOver) throw stateNotAllowed(link.status);
  return link;
}

/** Computes the time from which another link can be had; null if none can. */
function renewableAt(link: KnownLink, options: { now: Date; intervalSeconds: number }): Date | null {
  if (!link.isClaimable || link.ownResendCount >= maxResends) return null;
  const waitedAtMs = Date.parse(link.linkSentAt ?? '') + options.intervalSeconds * 1000;
  return new Date(Math.max(options.now.getTime(), Number.isNaN(waitedAtMs) ? 0 : waitedAtMs));
}

type DeadLink = UseCase<'intake', 'claims.deadLink'>;

/**
 * Tells whom to ask about a dead link, and when another one can be had; reading changes nothing.
 * @throws AppError CLAIM_LINK_INVALID, REQUEST_STATE_NOT_ALLOWED
 */
export function createDeadLink(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rules'>,
): DeadLink {
  return async ({ sealedToken }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const now = deps.clock();
    const link = await findDeadLink(deps.database, tokenSha256, now);
    const intervalSeconds = deps.rules.resendIntervalSeconds;
    return {
      reason: link.isOver ? 'EXPIRED' : 'REPLACED',
      partnerName: link.partnerName,
      partnerEmail: link.partnerEmail,
      hasLogo: link.hasLogo,
      renewableAt: renewableAt(link, { now, intervalSeconds })?.toISOString() ?? null,
    };
  };
}

/** Deletes links long after the claim window, when they tell nobody anything any more. */
export const forgetLinks = deleteExpired({
  name: 'forget-claim-links',
  table: 'claim_link',
  key: 'token_sha256',
  at: 'expires_at',
});
