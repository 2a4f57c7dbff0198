import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { type Language, planMessage } from '../delivery/plan-message.ts';
import type { SideEffects } from '../request/write-transition.ts';

/** Days for which the file can be downloaded. Generation keeps it at least as long. */
const downloadDays = 7;

/** Link of the claim, as the earlier e-mails carried it, or of the renewal. Only the notifier can open it. */
export interface SubscriberLink {
  readonly subscriberLink: { readonly recipient: string; readonly sealedSecret: string } | null;
  readonly hasOwnPassword: boolean;
  readonly language: Language;
}

/** Columns that are read with the request. The link is null if its mails have lost their secret. */
export const subscriberLinkColumns = `language, password_origin = 'HOLDER' as "hasOwnPassword", coalesce((
  select jsonb_build_object('recipient', recipient, 'sealedSecret', sealed_secret) from message
  where message.request_id = request.id and template in ('claim', 'claim-reminder') and sealed_secret is not null
  order by created_at desc limit 1
), (
  select jsonb_build_object('recipient', details ->> 'email', 'sealedSecret', sealed_token) from renewal_link
  where renewal_id = request.id and sealed_token is not null
)) as "subscriberLink"`;

/**
 * Updates that remove the secrets of earlier e-mails, which the new one replaces. The statement does not see
 * its own new row.
 */
const earlierSecretUpdates = [
  'update message set sealed_secret = null from request where message.request_id = request.id',
  'update renewal_link set sealed_token = null from request where renewal_id = request.id',
];

/**
 * Returns the side effects of issuing a certificate whose password the applicant chose: days of download, and
 * an e-mail about it.
 */
export function notifySubscriber(
  request: SubscriberLink & { readonly id: string },
  { id, now }: { id: string; now: Date },
): SideEffects {
  if (!request.hasOwnPassword) return {};
  const downloadUntil = new Date(now.getTime() + downloadDays * DAY_MS);
  const columns = { download_until: downloadUntil };
  if (!request.subscriberLink) return { columns };
  const { insert, message } = planMessage({
    ...request.subscriberLink,
    id,
    requestId: request.id,
    channel: 'email',
    template: 'certificate-ready',
    language: request.language,
    secretUntil: downloadUntil,
    now,
  });
  return { columns, inserts: [insert], messages: [message], updates: earlierSecretUpdates };
}
