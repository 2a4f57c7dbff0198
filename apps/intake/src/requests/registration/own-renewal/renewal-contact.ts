import type { UseCase } from '@rubrica/wiring';
import { hashLinkToken } from '../../../base/hash-link-token.ts';
import type { RequestsDeps } from '../../deps.ts';
import { findDeathReason, findRenewalRow } from './find-renewal.ts';

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
