import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import type { Language } from '../../delivery/plan-message.ts';
import { isExpiringSql } from '../../request/renewals.ts';

/** Certificate whose reminder is due. */
export interface DueCertificate {
  readonly requestId: string;
  /** Time of the reminder as the database's text, for an exact comparison when it is written. */
  readonly lookedAt: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly certificateAdvancedDays: number;
  readonly language: Language;
  /** Address of the subscriber; null if the subscriber gets no mail. */
  readonly recipient: string | null;
  /** True if the subscriber may renew by a link. */
  readonly takesLink: boolean;
  /** Link of an earlier reminder. */
  readonly sealedLink: string | null;
  /** True if the partner has subscribed to the event. */
  readonly isTold: boolean;
}

/**
 * SQL of due certificates. A subscriber cannot renew alone in the API flow, whose steps prove presence anew,
 * nor for a transactional request.
 */
const due = `
select request.id as "requestId", next_reminder_at as "lookedAt", not_before as "notBefore", not_after as "notAfter",
  certificate_advanced_days as "certificateAdvancedDays", language,
  case when ${isExpiringSql} and erase_requested_at is null and certificate_type = any(partner.holder_reminders)
    then coalesce(details ->> 'email', details ->> 'emailAddress') end as recipient,
  partner.holder_renewal and family not in ('API', 'FT') as "takesLink",
  case when partner.holder_renewal then (
    select sealed_secret from message
    where message.request_id = request.id and template = 'renewal-reminder' and sealed_secret is not null
    order by message.created_at desc limit 1
  ) end as "sealedLink",
  ${isExpiringSql} and callback_url is not null and 'certificate.expiring' = any(partner.events) as "isTold"
from request join partner on partner.id = request.partner_id`;

/** SQL condition in a form that the partial index serves in every query. */
const isDue = `next_reminder_at <= :now::timestamptz and next_reminder_at < 'infinity'`;

interface Pace {
  readonly now: Date;
  readonly perSecond: number;
  readonly most: number;
}

/**
 * Reserves a share of the rate, which all copies spend by one row. A copy that reserves a share moves the row
 * on, and the next copy finds the rest of the second. Rate that was not spent while nothing was due is not
 * made up for. A time in the future is nobody's: it would end all reminders.
 */
const takeShare = statement<Pace, { readonly rows: number }>({
  name: 'take-share-of-reminders',
  sql: `
update reminder_pace set spent_until = now()
from (
  select case when spent_until > now() + interval '1 minute' then now() - interval '1 second' else spent_until end as since
  from reminder_pace
  where exists (select from request where ${isDue} order by next_reminder_at limit 1)
  for update skip locked
) as former
where extract(epoch from now() - since) * :perSecond::integer >= 1
returning least(:most::integer, floor(extract(epoch from now() - since) * :perSecond::integer))::integer as rows`,
});

/**
 * Finds the first due reminders. It is separate from the share, whose number no plan can know: joined to it,
 * all requests were read each second.
 */
const findFirst = statement<{ readonly now: Date; readonly rows: number }, DueCertificate>({
  name: 'find-due-reminders',
  sql: `${due} where ${isDue} order by next_reminder_at limit :rows`,
});

const findOfRequest = statement<{ readonly now: Date; readonly requestId: string }, DueCertificate>({
  name: 'find-due-reminder',
  sql: `${due} where request.id = :requestId and ${isDue}`,
});

type Target = Pick<Database, 'statement'>;

/** Finds as many due reminders as the rate allows now. */
export async function findDueReminders(database: Target, pace: Pace): Promise<DueCertificate[]> {
  const [share] = await takeShare.run(database, pace);
  return share === undefined ? [] : findFirst.run(database, { now: pace.now, rows: share.rows });
}

/** Finds the due reminder of one request, regardless of the rate: for the sandbox. */
export function findDueReminder(
  database: Target,
  params: { readonly now: Date; readonly requestId: string },
): Promise<DueCertificate[]> {
  return findOfRequest.run(database, params);
}
