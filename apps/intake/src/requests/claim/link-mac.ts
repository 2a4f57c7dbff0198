import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';

/** Link of a claim, which is a column of its request and has the id of that request. Verified at each use. */
export const claimLinkTable = guardedSqlTable('claim_link', ['tokenSha256'], {
  check: 'former-keys',
  source: {
    table: 'request',
    key: 'id',
    keyType: 'uuid',
    macColumn: 'claim_link_mac',
    row: `jsonb_build_object('id', id, 'version', 1, 'mac', claim_link_mac, 'token_sha256', claim_token_sha256)`,
    where: 'claim_token_sha256 is not null',
  },
});

/** Link of a renewal, with the id of the request whose certificate it renews. Verified at each use. */
export const renewalLinkTable = guardedSqlTable('renewal_link', ['tokenSha256', 'renewalId'], {
  check: 'former-keys',
  source: {
    table: 'renewal_link',
    key: 'token_sha256',
    keyType: 'text',
    macColumn: 'mac',
    row: `jsonb_build_object('id', request_id, 'version', 1, 'mac', mac, 'token_sha256', token_sha256,
      'renewal_id', renewal_id)`,
  },
});

type LinkTable = 'claim_link' | 'renewal_link';

interface Link {
  readonly requestId: string;
  readonly tokenSha256: string;
}

/** Computes the MAC of a claim link. */
export function protectClaimLink(
  rows: Pick<RowGuard, 'protect'>,
  { requestId: id, tokenSha256 }: Link,
): string {
  return rows.protect('claim_link', { id, tokenSha256 }).mac;
}

/** Computes the MAC of a renewal link. @param renewalId request that it has created */
export function protectRenewalLink(
  rows: Pick<RowGuard, 'protect'>,
  { requestId: id, tokenSha256, renewalId = null }: Link & { readonly renewalId?: string | null },
): string {
  return rows.protect('renewal_link', { id, tokenSha256, renewalId }).mac;
}

/** Columns of a link as the database returns them. */
export type StoredLink = Readonly<Record<string, unknown>>;

interface LinkColumns {
  readonly requestId: string;
  readonly tokenSha256: string;
  readonly renewalId: string;
  readonly mac: string;
}

/**
 * Returns SQL of a link. A link without a MAC is of the previous release: it existed at the upgrade, or
 * copies of that release still run.
 */
function linkSql({ requestId, tokenSha256, renewalId, mac }: LinkColumns): string {
  return `jsonb_build_object('id', ${requestId}, 'version', 1, 'mac', ${mac}, 'token_sha256', ${tokenSha256},
    'renewal_id', ${renewalId}, 'isFormer', ${mac} is null and (
      exists (select from data_upgrade where now() < mixed_until)
      or exists (select from link_at_upgrade as known where known.token_sha256 = ${tokenSha256}
        and known.request_id = ${requestId} and known.renewal_id is not distinct from ${renewalId})))`;
}

/** SQL of the claim link of a row of `request`. */
export const claimLinkSql = linkSql({
  requestId: 'request.id',
  tokenSha256: 'request.claim_token_sha256',
  renewalId: 'null::uuid',
  mac: 'request.claim_link_mac',
});

/** SQL of a row of `renewal_link` with the alias `link`. */
export const renewalLinkSql = linkSql({
  requestId: 'link.request_id',
  tokenSha256: 'link.token_sha256',
  renewalId: 'link.renewal_id',
  mac: 'link.mac',
});

/** Returns whether this service has issued the link to that request, and raises the alarm if it has not. */
export function isLinkAuthentic(
  rows: Pick<RowGuard, 'isIntact'>,
  table: LinkTable,
  stored: StoredLink,
): boolean {
  return stored.isFormer === true || rows.isIntact(table, stored);
}
