import type { UseCase } from '@rubrica/wiring';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { RequestsDeps } from '../deps.ts';
import { createTicketExpired, hashTicket, isTicketValid } from './claim-ticket.ts';
import type { FoundClaim, LinkDeps } from './find-claim.ts';

const maxValues = 100;

/** Lists names, numbers and addresses that a guesser who knows the applicant would try first; pure. */
export function listOwnData({
  details,
  identificationNumber,
  partnerName,
}: Pick<FoundClaim, 'details' | 'identificationNumber' | 'partnerName'>): string[] {
  const texts = Object.values(details).filter((value): value is string => typeof value === 'string');
  const values = [identificationNumber, partnerName, ...texts].map((value) =>
    value.slice(0, 300).toWellFormed(),
  );
  return [...new Set(values)].filter((value) => value !== '').slice(0, maxValues);
}

type OwnData = UseCase<'intake', 'claims.ownData'>;

/**
 * Returns the known data of the applicant while the link may be claimed, to a caller who has proven a code. It
 * returns null once the link is claimed. The link alone is not enough: a screened password would tell the finder
 * of a link the data that it was compared with. Gateways of 0.1.0 send no ticket and get nothing to compare with.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, OTP_EXPIRED
 */
export function createOwnData(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rows'> & LinkDeps,
): OwnData {
  return async ({ sealedToken, sealedRight: sealedTicket }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const now = deps.clock();
    const claim = await deps.links.find(deps.database, tokenSha256, now);
    if (claim.state !== 'OPEN') return null;
    if (sealedTicket === undefined) return { values: [] };
    const secretSha256 = await hashTicket(deps.keyring, { sealedTicket, tokenSha256 });
    const presented = {
      secretSha256,
      tokenSha256,
      requestIds: [claim.requestId],
      purpose: 'claim',
      now,
    } as const;
    if (!(await isTicketValid(deps.database, presented, deps.rows))) throw createTicketExpired();
    return { values: listOwnData(claim) };
  };
}
