import type { UseCase } from '@rubrica/wiring';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import { createSendClaimCode, type SendCodeDeps } from '../claim/send-claim-code.ts';
import type { RequestsDeps } from '../deps.ts';
import { examineSelfRenewal, type SelfRenewalDeps } from './examine-self-renewal.ts';
import { createRenewalLinkStore } from './renewal-link.ts';

type SendRenewalCode = UseCase<'intake', 'renewals.sendCode'>;

/**
 * Sends a code to renew or to download with. The registries are asked here for the first time: opening a
 * link, as the scanners of mail servers do, asks nobody.
 * @throws AppError as the code of a claim, and as `examineSelfRenewal`
 */
export function createSendRenewalCode(
  deps: SelfRenewalDeps & Omit<SendCodeDeps, 'links'> & Pick<RequestsDeps, 'newId'>,
): SendRenewalCode {
  const links = createRenewalLinkStore(deps.rows);
  const send = createSendClaimCode({ ...deps, links });
  return async (input, context) => {
    const { sealedToken } = input;
    const { peer } = context;
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const found = await links.find(deps.database, tokenSha256, deps.clock());
    if (found.state === 'OPEN') await examineSelfRenewal(deps, found, { requestId: deps.newId() });
    return send(input, context);
  };
}
