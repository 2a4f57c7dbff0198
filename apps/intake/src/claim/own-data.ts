import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { hashOfToken } from '../hash-of-token.ts';
import type { FoundClaim } from './find-claim.ts';
import type { OfLinks } from './link-kind.ts';

const maximumValues = 100;

/** Names, numbers and addresses that a guesser who knows the applicant would try first; pure. */
export function ownDataOf({
  details,
  identificationNumber,
  partnerName,
}: Pick<FoundClaim, 'details' | 'identificationNumber' | 'partnerName'>): string[] {
  const texts = Object.values(details).filter((value): value is string => typeof value === 'string');
  const values = [identificationNumber, partnerName, ...texts].map((value) =>
    value.slice(0, 300).toWellFormed(),
  );
  return [...new Set(values)].filter((value) => value !== '').slice(0, maximumValues);
}

type OwnData = UseCase<'intake', 'claims.ownData'>;

/**
 * What is known of the applicant, while the link may be claimed; null afterwards, when nobody needs it any more.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED
 */
export function createOwnData(deps: Pick<IntakeDeps, 'database' | 'clock' | 'keyring'> & OfLinks): OwnData {
  return async ({ sealedToken }, { peer }) => {
    const tokenSha256 = await hashOfToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const claim = await deps.links.find(deps.database, tokenSha256, deps.clock());
    return claim.state === 'OPEN' ? { values: ownDataOf(claim) } : null;
  };
}
