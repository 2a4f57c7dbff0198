import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { findEntryGuard } from '@rubrica/database/entries';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import type { SweeperTask } from '@rubrica/database/sweeper';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
import { sweeperTask } from '../../base/sweeper-task.ts';
import { claimSendingsSql } from '../claim/code-history.ts';
import type { CodePurpose } from '../claim/code-rules.ts';
import {
  determineClaimState,
  type FoundClaim,
  foundColumns,
  type LinkGuard,
  type LinkStore,
  type StoredClaim,
  since,
  toFoundClaim,
} from '../claim/find-claim.ts';
import { renewalLinkSql } from '../claim/link-mac.ts';
import type { DependentWrite } from '../request/one-statement.ts';
import { isOpenRenewalSql, renewalDays } from '../request/renewals.ts';
import type { KnownCertificate } from '../request/status/certificate-state.ts';
import { notRenewable } from './find-renewable.ts';

interface StoredRenewal extends StoredClaim {
  /**
   * True if the link has created a request: then all columns are of this request. Before, they are of the
   * request whose certificate it renews.
   */
  readonly isRenewed: boolean;
  /** True if another link, or the partner, has renewed it. */
  readonly isRenewedOtherwise: boolean;
  readonly certificateStatus: KnownCertificate['certificateStatus'];
  readonly certificateAdvancedDays: number;
}

type Row = ReturnType<typeof toFoundClaim<StoredRenewal>>;

const find = statement<
  { readonly tokenSha256: string; readonly since: Date; readonly now: Date },
  StoredRenewal
>({
  name: 'find-renewal',
  sql: `
select ${foundColumns({
    codes: "purpose = case when renewal_id is null then 'renew' else 'download' end",
    sendings: `case when renewal_id is null then trigger = 'sendRenewalCode' else ${claimSendingsSql} end`,
  })},
  ${renewalLinkSql} as link, renewal_id is not null as "isRenewed", certificate_status as "certificateStatus",
  renewal_id is null and exists (
    select from (select * from request as later where later.renewal_of = request.id) as later where ${isOpenRenewalSql}
  ) as "isRenewedOtherwise",
  certificate_advanced_days as "certificateAdvancedDays",
  case when renewal_id is null then certificate_advanced_days else advanced_days end as "advancedDays"
from renewal_link as link join request on request.id = coalesce(renewal_id, link.request_id)
  join partner on partner.id = request.partner_id
where link.token_sha256 = :tokenSha256 and (link.expires_at > :now::timestamptz or renewal_id is not null)`,
});

/** Locks the request that it has created too, as every transaction that ends its codes does. */
const lock = statement<{ readonly tokenSha256: string }>({
  name: 'lock-renewal',
  sql: `
select 1 from request where id in (
  select unnest(array[request_id, renewal_id]) from renewal_link where token_sha256 = :tokenSha256
) order by id for update`,
});

/** Returns why a link is dead; undefined if it is not. */
export function findDeathReason(row: Row, now: Date): claimsContract.RenewalContact['reason'] | undefined {
  if (row.isRenewed) return undefined;
  if (row.isRenewedOtherwise) return 'RENEWED';
  if (row.certificateStatus === 'REVOKED') return 'REVOKED';
  return now > computeEnd(row) ? 'EXPIRED' : undefined;
}

function computeEnd({ notAfter, certificateAdvancedDays }: Row): Date {
  if (notAfter === null) throw new TypeError('a link renews a certificate');
  return computeRenewalEnd({ notAfter, certificateAdvancedDays });
}

const deadLinkErrors = {
  RENEWED: () => notRenewable(createText('request.renewed')),
  REVOKED: () => notRenewable(createText('request.revokedNotRenewed')),
  EXPIRED: () => new AppError({ code: 'CLAIM_LINK_EXPIRED' }),
  ASK: () => new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' }),
} as const satisfies Record<claimsContract.RenewalContact['reason'], () => AppError>;

/**
 * Determines the state of the link. The data of the page were the claim, so there is none to wait for. A
 * request that ended without a certificate has ended its link.
 */
function determineState(row: Row, now: Date): claimsContract.ClaimState {
  if (!row.isRenewed) return 'OPEN';
  if (row.status === 'APPROVED') return 'IN_PROGRESS';
  return row.status === 'EXPIRED' ? 'ENDED' : determineClaimState(row, now);
}

const codePurposes: { readonly [S in claimsContract.ClaimState]?: CodePurpose } = {
  OPEN: 'renew',
  ISSUED: 'download',
};

/** @throws AppError CLAIM_LINK_INVALID */
export async function findRenewalRow(
  target: StatementTarget,
  { tokenSha256, now, rows }: { tokenSha256: string; now: Date; rows: LinkGuard },
): Promise<Row> {
  const [row] = await find.run(target, { tokenSha256, since: since(now), now });
  if (!row) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  const group = row.isRenewed ? 'claim' : 'renew';
  return toFoundClaim(row, { rows, group, table: 'renewal_link', entries: findEntryGuard(target) });
}

/**
 * Loads a reminder's link with its state at `now`, like the link of a claim.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED once the certificate was
 *   revoked or renewed otherwise
 */
async function findRenewal(
  target: StatementTarget,
  params: Parameters<typeof findRenewalRow>[1],
): Promise<FoundClaim> {
  const { now } = params;
  const row = await findRenewalRow(target, params);
  const dead = findDeathReason(row, now);
  if (dead !== undefined) throw deadLinkErrors[dead]();
  const state = determineState(row, now);
  const claimExpiresAt = state === 'OPEN' ? computeEnd(row) : row.claimExpiresAt;
  return { ...row, claimExpiresAt, state, codePurpose: codePurposes[state] };
}

/** Creates the access to links with which subscribers renew. */
export function createRenewalLinkStore(rows: LinkGuard): LinkStore {
  return {
    find: (target, tokenSha256, now) => findRenewal(target, { tokenSha256, now, rows }),
    async lock(em: EntityManager, tokenSha256, clock) {
      await lock.run(em, { tokenSha256 });
      const now = clock();
      return { ...(await findRenewal(em, { tokenSha256, now, rows })), now };
    },
  };
}

/** End of a certificate, and the days by which the sandbox has advanced it. */
interface Ending {
  readonly notAfter: Date;
  readonly certificateAdvancedDays: number;
}

/**
 * Computes the time until which the subscriber may renew a certificate, by the real clock, as the partner
 * may.
 */
export function computeRenewalEnd({ notAfter, certificateAdvancedDays }: Ending): Date {
  return new Date(notAfter.getTime() + (renewalDays - certificateAdvancedDays) * DAY_MS);
}

/** Time after its end during which a link still tells whom to ask. */
const knownAfterMs = 30 * DAY_MS;

/** Computes the time until which a link is known, though it opens nothing any more. */
export function computeKnownUntil(ending: Ending): Date {
  return new Date(computeRenewalEnd(ending).getTime() + knownAfterMs);
}

/** Seals the same token for the request that it creates: the e-mail about its certificate carries it. */
export async function sealRenewalToken(
  keyring: Pick<Keyring, 'sealTo'>,
  { token, requestId }: { readonly token: string; readonly requestId: string },
): Promise<string> {
  return keyring.sealTo('notifier', token, { purpose: 'claim-link', owner: requestId });
}

/** Returns the write that assigns the link to the request it has created, which it serves from then on. */
export function planLinkUse(link: {
  readonly tokenSha256: string;
  readonly sealedToken: string;
  /** MAC of the link with the request that it has created. */
  readonly mac: string;
}): DependentWrite {
  return {
    name: 'used_link',
    sql: `update renewal_link set renewal_id = request.id, sealed_token = :sealedLink, mac = :linkMac
      from request where renewal_link.token_sha256 = :linkSha256`,
    params: { linkSha256: link.tokenSha256, sealedLink: link.sealedToken, linkMac: link.mac },
  };
}

const batchRows = 500;

/** Deletes links that are long over. A link that has created a request serves it until its download ends. */
const forget = statement<{ readonly now: Date }>({
  name: 'forget-renewal-links',
  sql: `
delete from renewal_link where token_sha256 in (
  select token_sha256 from renewal_link where expires_at <= :now::timestamptz and not exists (
    select from request where request.id = renewal_id
      and (status not in ('GENERATED', 'CANCELLED', 'REFUSED', 'EXPIRED') or download_until > :now::timestamptz)
  ) order by expires_at limit ${batchRows} for update skip locked
) returning 1`,
});

export function forgetRenewalLinks(clock: Clock): SweeperTask {
  return sweeperTask(forget, { batchRows, params: () => ({ now: clock() }) });
}
