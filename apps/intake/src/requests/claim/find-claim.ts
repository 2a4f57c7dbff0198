import type { EntityManager } from '@mikro-orm/postgresql';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import { type EntryGuard, findEntryGuard } from '@rubrica/database/entries';
import type { RowGuard } from '@rubrica/database/guarded';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import {
  isAuthentic,
  registeredSql,
  type StoredRegistration,
} from '../request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../request/registered/request-history.ts';
import type { Request } from '../request/request.entity.ts';
import {
  type CodeGroup,
  claimSendingsSql,
  codeHistorySql,
  type StoredCodeHistory,
  toCodeHistory,
} from './code-history.ts';
import { type CodeHistory, type CodePurpose, codesCountForMs } from './code-rules.ts';
import { claimLinkSql, isLinkAuthentic, type StoredLink } from './link-mac.ts';

/** Columns of a request that determine what its link is valid for. */
export interface LinkedRequest {
  readonly status: Status;
  readonly passwordOrigin: 'PARTNER' | 'SERVICE' | 'HOLDER';
  /** True while the applicant's password is stored, from the claim until the request has ended. */
  readonly isClaimed: boolean;
  readonly claimExpiresAt: Date | null;
  readonly downloadUntil: Date | null;
}

/** Link with everything that determines what can be done with it now. */
export interface FoundClaim
  extends LinkedRequest,
    Pick<
      Request,
      'applicationType' | 'certificateType' | 'period' | 'identificationNumber' | 'details' | 'serialNumber'
    > {
  readonly requestId: string;
  readonly partnerId: string;
  readonly state: claimsContract.ClaimState;
  /** Purpose of a code now; undefined if a code is of no use. */
  readonly codePurpose: CodePurpose | undefined;
  readonly validationStatus: ValidationStatus;
  readonly partnerName: string;
  readonly partnerEmail: string;
  readonly hasLogo: boolean;
  readonly offersLegacyFile: boolean;
  readonly errorCode: string | null;
  readonly notAfter: Date | null;
  readonly advancedDays: number;
  /** Request whose certificate this one renews. */
  readonly renewalOf: string | null;
  readonly codeHistory: CodeHistory;
}

/** Link whose request is locked, and the time after the wait. */
export type LockedClaim = FoundClaim & { readonly now: Date };

/** Access to links of one kind: those of claims, or those with which subscribers renew. */
export interface LinkStore {
  /** @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED if it is dead */
  find(target: StatementTarget, tokenSha256: string, now: Date): Promise<FoundClaim>;
  lock(em: EntityManager, tokenSha256: string, clock: () => Date): Promise<LockedClaim>;
}

/** Dependency of use cases that work with links of either kind. */
export interface LinkDeps {
  readonly links: LinkStore;
}

/** Instants are text, as raw SQL returns them. */
export interface StoredClaim
  extends Omit<
    FoundClaim,
    | 'state'
    | 'codePurpose'
    | 'claimExpiresAt'
    | 'downloadUntil'
    | 'notAfter'
    | 'codeHistory'
    | 'offersLegacyFile'
  > {
  readonly claimExpiresAt: string | null;
  readonly downloadUntil: string | null;
  readonly notAfter: string | null;
  readonly codeHistory: StoredCodeHistory;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
  readonly link: StoredLink;
  readonly partner: { readonly legacy_pkcs12: boolean };
}

/** Guard of the requests to which links lead, and of their codes. */
export type LinkGuard = Pick<RowGuard, 'isIntact' | 'reportFailed'>;

/**
 * Returns columns of `request` and its `partner`.
 * @param codes codes that count, as `codeHistorySql` accepts them
 */
export function foundColumns(codes: Parameters<typeof codeHistorySql>[0]): string {
  return `request.id as "requestId", partner_id as "partnerId", status, validation_status as "validationStatus", password_origin as "passwordOrigin",
  application_type as "applicationType", certificate_type as "certificateType", period,
  identification_number as "identificationNumber", details, partner.name as "partnerName", partner.email as "partnerEmail",
  exists (select from partner_logo as logo where logo.partner_id = partner.id) as "hasLogo",
  to_jsonb(partner) as partner,
  claim_expires_at as "claimExpiresAt", download_until as "downloadUntil",
  sealed_password is not null as "isClaimed", error_code as "errorCode", serial_number as "serialNumber",
  not_after as "notAfter", renewal_of as "renewalOf", ${codeHistorySql(codes)} as "codeHistory",
  ${registeredSql('request')} as stored, ${historySql('request.id')} as history`;
}

const find = statement<{ readonly tokenSha256: string; readonly since: Date }, StoredClaim>({
  name: 'find-claim',
  sql: `
select ${foundColumns({ codes: "purpose in ('claim', 'download')", sendings: claimSendingsSql })}, advanced_days as "advancedDays",
  ${claimLinkSql} as link
from request join partner on partner.id = request.partner_id
where claim_token_sha256 = :tokenSha256`,
});

const lock = statement<{ readonly tokenSha256: string }>({
  name: 'lock-claim',
  sql: 'select 1 from request where claim_token_sha256 = :tokenSha256 for update',
});

function date(value: string | null): Date | null {
  return value === null ? null : new Date(value);
}

/**
 * Loads a claim link with its state at `now`, by one look-up in a unique index. A link that a newer one
 * replaced cannot be distinguished from one that was never issued.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED
 */
async function findClaim(
  target: StatementTarget,
  { tokenSha256, now, rows }: { tokenSha256: string; now: Date; rows: LinkGuard },
): Promise<FoundClaim> {
  const [row] = await find.run(target, { tokenSha256, since: since(now) });
  if (!row) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  const entries = findEntryGuard(target);
  const claim = toFoundClaim(row, { rows, group: 'claim', table: 'claim_link', entries });
  const state = determineClaimState(claim, now);
  return { ...claim, state, codePurpose: ticketPurposes[state] };
}

/**
 * Converts a row with its instants, if this service wrote it last.
 * @throws AppError CLAIM_LINK_INVALID, with an alarm, if it did not: the link may have been moved to another
 *   person's request
 */
export function toFoundClaim<Row extends StoredClaim>(
  { stored, history, link, partner, ...row }: Row,
  {
    rows,
    group,
    table,
    entries,
  }: {
    readonly rows: LinkGuard;
    readonly group: CodeGroup;
    readonly table: 'claim_link' | 'renewal_link';
    readonly entries: Pick<EntryGuard, 'counts'>;
  },
) {
  if (!isAuthentic(rows, stored, history) || !isLinkAuthentic(rows, table, link))
    throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  return {
    ...row,
    // A row that was written past this service allows nothing.
    offersLegacyFile: partner.legacy_pkcs12 && rows.isIntact('partner', partner),
    claimExpiresAt: date(row.claimExpiresAt),
    downloadUntil: date(row.downloadUntil),
    notAfter: date(row.notAfter),
    codeHistory: toCodeHistory(row.codeHistory, { rows, group, entries }),
  };
}

export function since(now: Date): Date {
  return new Date(now.getTime() - codesCountForMs);
}

/**
 * Loads the same inside a transaction, with the request locked first: changes by others are seen, and nothing
 * can change until the end. It takes two statements, because a statement that waited for a lock still sees
 * other tables as of its start.
 */
async function lockClaim(
  em: EntityManager,
  { tokenSha256, clock, rows }: { tokenSha256: string; clock: () => Date; rows: LinkGuard },
): Promise<LockedClaim> {
  await lock.run(em, { tokenSha256 });
  // Read after the wait: a claim that queued past the end of the window is late.
  const now = clock();
  return { ...(await findClaim(em, { tokenSha256, now, rows })), now };
}

/** Creates the access to links of claims. */
export function createClaimLinkStore(rows: LinkGuard): LinkStore {
  return {
    find: (target, tokenSha256, now) => findClaim(target, { tokenSha256, now, rows }),
    lock: (em, tokenSha256, clock) => lockClaim(em, { tokenSha256, clock, rows }),
  };
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

/** Purpose of a ticket in each state. A state that is missing here needs neither ticket nor code. */
export const ticketPurposes: { readonly [S in claimsContract.ClaimState]?: 'claim' | 'download' } = {
  OPEN: 'claim',
  ISSUED: 'download',
};
