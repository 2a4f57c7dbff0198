import { type Language, planMessage } from '../delivery/plan-message.ts';
import type { Besides } from '../request/write-transition.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Generation keeps the file at least as long. */
export const downloadDays = 7;

/** The link that the holder has claimed with, as the mails before carried it: only the notifier can open it. */
export interface HolderLink {
  readonly holderLink: { readonly recipient: string; readonly sealedSecret: string } | null;
  readonly isHolders: boolean;
  readonly language: Language;
}

/** Read with the request; null where the link's mails lost their secret. */
export const holderLinkColumns = `language, password_origin = 'HOLDER' as "isHolders", (
  select jsonb_build_object('recipient', recipient, 'sealedSecret', sealed_secret) from message
  where message.request_id = request.id and template in ('claim', 'claim-reminder') and sealed_secret is not null
  order by created_at desc limit 1
) as "holderLink"`;

/** The mails before are overtaken by the one that is written beside this; it is not seen by the same statement. */
const endEarlier =
  'update message set sealed_secret = null from request where message.request_id = request.id';

/** What the issue of a certificate with the holder's own password brings: days of download, and a mail that says so. */
export function tellHolder(
  request: HolderLink & { readonly id: string },
  { id, now }: { id: string; now: Date },
): Besides {
  if (!request.isHolders) return {};
  const downloadUntil = new Date(now.getTime() + downloadDays * DAY_MS);
  const columns = { download_until: downloadUntil };
  if (!request.holderLink) return { columns };
  const { insert, message } = planMessage({
    ...request.holderLink,
    id,
    requestId: request.id,
    channel: 'email',
    template: 'certificate-ready',
    language: request.language,
    secretUntil: downloadUntil,
    now,
  });
  return { columns, inserts: [insert], messages: [message], updates: [endEarlier] };
}
