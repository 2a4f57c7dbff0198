import { type Database, statement } from '@rubrica/database';
import type { Language } from '../../delivery/plan-message.ts';
import { isRunningOut } from '../../request/renewals.ts';

/** A certificate whose reminder is to be looked at. */
export interface DueCertificate {
  readonly requestId: string;
  /** As the database says it: what is written down again is compared with it. */
  readonly lookedAt: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly certificateAdvancedDays: number;
  readonly language: Language;
  /** Null where the subscriber gets no mail. */
  readonly recipient: string | null;
  /** The subscriber may renew by a link. */
  readonly takesLink: boolean;
  /** The link of an earlier reminder. */
  readonly sealedLink: string | null;
  /** The partner wants to hear of it. */
  readonly isTold: boolean;
}

/** Nobody renews alone by the API flow, whose steps prove presence anew, nor a transactional request. */
const due = `
select request.id as "requestId", next_reminder_at as "lookedAt", not_before as "notBefore", not_after as "notAfter",
  certificate_advanced_days as "certificateAdvancedDays", language,
  case when ${isRunningOut} and erase_requested_at is null and certificate_type = any(partner.holder_reminders)
    then coalesce(details ->> 'email', details ->> 'emailAddress') end as recipient,
  partner.holder_renewal and family not in ('API', 'FT') as "takesLink",
  case when partner.holder_renewal then (
    select sealed_secret from message
    where message.request_id = request.id and template = 'renewal-reminder' and sealed_secret is not null
    order by message.created_at desc limit 1
  ) end as "sealedLink",
  ${isRunningOut} and callback_url is not null and 'certificate.expiring' = any(partner.events) as "isTold"
from request join partner on partner.id = request.partner_id`;

/** Named, so that the partial index serves it whatever is asked. */
const isDue = `next_reminder_at <= :now::timestamptz and next_reminder_at < 'infinity'`;

interface Pace {
  readonly now: Date;
  readonly perSecond: number;
  readonly most: number;
}

/**
 * All copies together spend the rate by one row: whoever takes a share moves it on, and the next finds what is left of the
 * second. What was not spent while nothing was due is not made up for.
 */
const takeShare = statement<Pace, { readonly rows: number }>({
  name: 'take-share-of-reminders',
  sql: `
update reminder_pace set spent_until = now()
from (
  select spent_until as since from reminder_pace
  where exists (select from request where ${isDue} order by next_reminder_at limit 1)
  for update skip locked
) as former
where extract(epoch from now() - since) * :perSecond::integer >= 1
returning least(:most::integer, floor(extract(epoch from now() - since) * :perSecond::integer))::integer as rows`,
});

/** Apart from the share, whose number no plan can know: joined to it, all requests were read each second. */
const findFirst = statement<{ readonly now: Date; readonly rows: number }, DueCertificate>({
  name: 'find-due-reminders',
  sql: `${due} where ${isDue} order by next_reminder_at limit :rows`,
});

const findOfRequest = statement<{ readonly now: Date; readonly requestId: string }, DueCertificate>({
  name: 'find-due-reminder',
  sql: `${due} where request.id = :requestId and ${isDue}`,
});

type Target = Pick<Database, 'statement'>;

/** As many as the rate allows now. */
export async function findDueReminders(database: Target, pace: Pace): Promise<DueCertificate[]> {
  const [share] = await takeShare.run(database, pace);
  return share === undefined ? [] : findFirst.run(database, { now: pace.now, rows: share.rows });
}

/** That of one request, past the rate: for the sandbox. */
export function findDueReminder(
  database: Target,
  moment: { readonly now: Date; readonly requestId: string },
): Promise<DueCertificate[]> {
  return findOfRequest.run(database, moment);
}
