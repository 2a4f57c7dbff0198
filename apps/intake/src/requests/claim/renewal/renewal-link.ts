import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { type SweeperTask, statement } from '@rubrica/database';
import type { Clock, Keyring } from '@rubrica/process';
import { sweeperTask } from '../../../base/sweeper-task.ts';
import type { DependentWrite } from '../../request/one-statement.ts';
import { renewalDays } from '../../request/renewals.ts';
import { type ClaimToken, createClaimToken } from '../claim-link.ts';

/** End of a certificate, and the days by which the sandbox has advanced it. */
interface Ending {
  readonly notAfter: Date;
  readonly certificateAdvancedDays: number;
}

/**
 * Computes the time until which the subscriber may renew a certificate, by the real clock, as the partner
 * may.
 */
export function computeRenewalEnd({ notAfter, certificateAdvancedDays }: Ending): Date {
  return new Date(notAfter.getTime() + (renewalDays - certificateAdvancedDays) * DAY_MS);
}

/** Time after its end during which a link still tells whom to ask. */
const knownAfterMs = 30 * DAY_MS;

/**
 * Creates a token for the certificate of a request. It is sealed like the token of a claim: a message of the
 * request carries it.
 */
export function createRenewalToken(keyring: Pick<Keyring, 'sealTo'>, requestId: string): Promise<ClaimToken> {
  return createClaimToken(keyring, requestId);
}

/** Computes the time until which a link is known, though it opens nothing any more. */
export function computeKnownUntil(ending: Ending): Date {
  return new Date(computeRenewalEnd(ending).getTime() + knownAfterMs);
}

/** Seals the same token for the request that it creates: the e-mail about its certificate carries it. */
export async function sealRenewalToken(
  keyring: Pick<Keyring, 'sealTo'>,
  { token, requestId }: { readonly token: string; readonly requestId: string },
): Promise<string> {
  return keyring.sealTo('notifier', token, { purpose: 'claim-link', owner: requestId });
}

/** Returns the write that assigns the link to the request it has created, which it serves from then on. */
export function planLinkUse(link: {
  readonly tokenSha256: string;
  readonly sealedToken: string;
  /** MAC of the link with the request that it has created. */
  readonly mac: string;
}): DependentWrite {
  return {
    name: 'used_link',
    sql: `update renewal_link set renewal_id = request.id, sealed_token = :sealedLink, mac = :linkMac
      from request where renewal_link.token_sha256 = :linkSha256`,
    params: { linkSha256: link.tokenSha256, sealedLink: link.sealedToken, linkMac: link.mac },
  };
}

const batchRows = 500;

/** Deletes links that are long over. A link that has created a request serves it until its download ends. */
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
