import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Keyring } from '@rubrica/process';
import { renewalDays } from '../../registration/renewal/judge-renewal.ts';
import type { DependentInsert } from '../../request/one-statement.ts';
import { forgetExpired } from '../../sweeper-task.ts';
import { type ClaimToken, makeClaimToken } from '../claim-link.ts';

/** A certificate that ends, and the days by which the sandbox has advanced it. */
interface Ending {
  readonly notAfter: Date;
  readonly certificateAdvancedDays: number;
}

/** Until when its subscriber may renew a certificate, by the real clock: as the partner may. */
export function renewalEnd({ notAfter, certificateAdvancedDays }: Ending): Date {
  return new Date(notAfter.getTime() + (renewalDays - certificateAdvancedDays) * DAY_MS);
}

/** A person with a link that is over is told whom to ask for so long after. */
const knownAfterMs = 30 * DAY_MS;

/** A fresh token for the certificate of a request. It is sealed as that of a claim is: a message of the request carries it. */
export function makeRenewalToken(keyring: Pick<Keyring, 'sealTo'>, requestId: string): Promise<ClaimToken> {
  return makeClaimToken(keyring, requestId);
}

/** The row by which the link is found; what becomes of it the certificate's state decides, and its end. */
export function renewalLinkRow(
  requestId: string,
  { token, ...ending }: Ending & { readonly token: Pick<ClaimToken, 'sha256'> },
): DependentInsert {
  const expiresAt = new Date(renewalEnd(ending).getTime() + knownAfterMs);
  const row = { token_sha256: token.sha256, request_id: requestId, expires_at: expiresAt };
  return { table: 'renewal_link', rows: [row] };
}

/** What is long over is known to nobody any more. */
export const forgetRenewalLinks = forgetExpired({
  name: 'forget-renewal-links',
  table: 'renewal_link',
  key: 'token_sha256',
  at: 'expires_at',
});
