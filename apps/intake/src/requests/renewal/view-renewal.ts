import type { UseCase } from '@rubrica/wiring';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import { viewClaim } from '../claim/view-claim.ts';
import type { RequestsDeps } from '../deps.ts';
import { assertSelfRenewable, type SelfRenewalDeps } from './examine-self-renewal.ts';
import { createRenewalLinkStore, findDeathReason, findRenewalRow } from './renewal-link.ts';

type ViewRenewal = UseCase<'intake', 'renewals.view'>;

/**
 * Returns the view of a reminder's link, if its subscriber may renew or has renewed by it; reading changes
 * nothing.
 * @throws AppError CLAIM_LINK_INVALID, and as `assertSelfRenewable`
 */
export function createViewRenewal(deps: SelfRenewalDeps): ViewRenewal {
  const links = createRenewalLinkStore(deps.rows);
  return async ({ sealedToken }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const found = await links.find(deps.database, tokenSha256, deps.clock());
    if (found.state === 'OPEN') await assertSelfRenewable(deps, found);
    return viewClaim({ ...deps, links }, { tokenSha256 });
  };
}

type RenewalContact = UseCase<'intake', 'renewals.contact'>;

/**
 * Tells whom to ask about a reminder's link. It names the partner, and nothing of the subscriber.
 * @throws AppError CLAIM_LINK_INVALID
 */
export function createRenewalContact(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rows'>,
): RenewalContact {
  return async ({ sealedToken }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const now = deps.clock();
    const row = await findRenewalRow(deps.database, { tokenSha256, now, rows: deps.rows });
    const { partnerName, partnerEmail, hasLogo } = row;
    return { reason: findDeathReason(row, now) ?? 'ASK', partnerName, partnerEmail, hasLogo };
  };
}
