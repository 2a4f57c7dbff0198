import { guardedSqlTable, type RowGuard } from '@rubrica/database';

/** Link to claim, which is a column of its request: the id is that of the request. Verified at each look. */
export const claimLinkTable = guardedSqlTable('claim_link', ['tokenSha256'], { check: 'none' });

/** Link to renew: the id is that of the request whose certificate it renews. Verified at each look. */
export const renewalLinkTable = guardedSqlTable('renewal_link', ['tokenSha256', 'renewalId'], {
  check: 'none',
});

type LinkTable = 'claim_link' | 'renewal_link';

interface Link {
  readonly requestId: string;
  readonly tokenSha256: string;
}

/** MAC of a link to claim. */
export function protectClaimLink(
  rows: Pick<RowGuard, 'protect'>,
  { requestId: id, tokenSha256 }: Link,
): string {
  return rows.protect('claim_link', { id, tokenSha256 }).mac;
}

/** MAC of a link to renew. @param renewalId the request that it has made */
export function protectRenewalLink(
  rows: Pick<RowGuard, 'protect'>,
  { requestId: id, tokenSha256, renewalId = null }: Link & { readonly renewalId?: string | null },
): string {
  return rows.protect('renewal_link', { id, tokenSha256, renewalId }).mac;
}

/** Columns of a link as the database has them. */
export type StoredLink = Readonly<Record<string, unknown>>;

interface LinkColumns {
  readonly requestId: string;
  readonly tokenSha256: string;
  readonly renewalId: string;
  readonly mac: string;
}

/** A link without a MAC is of the release before: it was there at the upgrade, or copies of that release still run. */
function linkSql({ requestId, tokenSha256, renewalId, mac }: LinkColumns): string {
  return `jsonb_build_object('id', ${requestId}, 'version', 1, 'mac', ${mac}, 'token_sha256', ${tokenSha256},
    'renewal_id', ${renewalId}, 'isFormer', ${mac} is null and (
      exists (select from data_upgrade where now() < mixed_until)
      or exists (select from link_at_upgrade as known where known.token_sha256 = ${tokenSha256}
        and known.request_id = ${requestId} and known.renewal_id is not distinct from ${renewalId})))`;
}

/** SQL: the link to claim of a row of `request`. */
export const claimLinkSql = linkSql({
  requestId: 'request.id',
  tokenSha256: 'request.claim_token_sha256',
  renewalId: 'null::uuid',
  mac: 'request.claim_link_mac',
});

/** SQL: a row of `renewal_link`, named `link`. */
export const renewalLinkSql = linkSql({
  requestId: 'link.request_id',
  tokenSha256: 'link.token_sha256',
  renewalId: 'link.renewal_id',
  mac: 'link.mac',
});

/** Tells whether this service has given the link to that request, and raises the alarm if it has not. */
export function isLinkAuthentic(
  rows: Pick<RowGuard, 'isIntact'>,
  table: LinkTable,
  stored: StoredLink,
): boolean {
  return stored.isFormer === true || rows.isIntact(table, stored);
}
