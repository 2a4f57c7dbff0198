import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { type SweeperTask, statement } from '@rubrica/database';
import type { Clock, Keyring } from '@rubrica/process';
import { sweeperTask } from '../../../base/sweeper-task.ts';
import type { DependentWrite } from '../../request/one-statement.ts';
import { renewalDays } from '../../request/renewals.ts';
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

/** Until when a link is known, though it opens nothing any more. */
export function renewalKnownUntil(ending: Ending): Date {
  return new Date(renewalEnd(ending).getTime() + knownAfterMs);
}

/** The same token for the request that it makes: the e-mail that says that its certificate is there carries it. */
export async function sealRenewalToken(
  keyring: Pick<Keyring, 'sealTo'>,
  { token, requestId }: { readonly token: string; readonly requestId: string },
): Promise<string> {
  return keyring.sealTo('notifier', token, { purpose: 'claim-link', owner: requestId });
}

/** The link has made the request that is inserted; from then on it serves that one. */
export function usingLink(used: {
  readonly tokenSha256: string;
  readonly sealedToken: string;
  /** MAC of the link with the request that it has made. */
  readonly mac: string;
}): DependentWrite {
  return {
    name: 'used_link',
    sql: `update renewal_link set renewal_id = request.id, sealed_token = :sealedLink, mac = :linkMac
      from request where renewal_link.token_sha256 = :linkSha256`,
    params: { linkSha256: used.tokenSha256, sealedLink: used.sealedToken, linkMac: used.mac },
  };
}

const batchRows = 500;

/** What is long over is known to nobody any more; a request that it has made is served by it until its download ends. */
const forget = statement<{ readonly now: Date }>({
  name: 'forget-renewal-links',
  sql: `
delete from renewal_link where token_sha256 in (
  select token_sha256 from renewal_link where expires_at <= :now::timestamptz and not exists (
    select from request where request.id = renewal_id
      and (status not in ('GENERATED', 'CANCELLED', 'REFUSED', 'EXPIRED') or download_until > :now::timestamptz)
  ) order by expires_at limit ${batchRows} for update skip locked
) returning 1`,
});

export function forgetRenewalLinks(clock: Clock): SweeperTask {
  return sweeperTask(forget, { batchRows, params: () => ({ now: clock() }) });
}
