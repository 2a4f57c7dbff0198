import type { UseCase } from '@rubrica/wiring';
import { readLogoByLink } from '../../access/partners/logo/stored-logos.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { RequestsDeps } from '../deps.ts';

type ClaimLogo = UseCase<'intake', 'claims.logo'>;

/** Reads the picture that is shown with the partner's name. */
export function createClaimLogo(deps: Pick<RequestsDeps, 'database' | 'clock' | 'keyring'>): ClaimLogo {
  return async ({ sealedToken }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    return readLogoByLink(deps.database, { tokenSha256, now: deps.clock() });
  };
}
