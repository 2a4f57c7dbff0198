import type { Database } from '@rubrica/database/connection';
import { type ColumnMap, statement, toColumns } from '@rubrica/database/statement';
import { jobSql } from '../../../base/jobs.ts';
import { isExpiringSql } from '../../request/renewals.ts';

/** Rows to write for one certificate whose reminder was processed. */
export interface PlannedReminder {
  readonly requestId: string;
  /**
   * Time of the reminder as it was read. If the row has another one by now, another copy has processed it.
   */
  readonly lookedAt: string;
  /** Time of the next reminder; null if none is left. */
  readonly nextAt: Date | null;
  /** Id of the mail; null for none. */
  readonly mailId: string | null;
  readonly recipient: string | null;
  /** Link that the mail carries; null for none. */
  readonly sealedLink: string | null;
  /** Time until which the link is valid. */
  readonly linkUntil: Date | null;
  /** Token of a new link, with its MAC and the time until which the link is known. */
  readonly tokenSha256: string | null;
  readonly linkMac: string | null;
  readonly linkKnownUntil: Date | null;
  /** Id of the event; null for none. */
  readonly eventId: string | null;
  readonly eventMac: string | null;
  readonly daysLeft: number;
}

const columns = [
  'requestId',
  'lookedAt',
  'nextAt',
  'mailId',
  'recipient',
  'sealedLink',
  'linkUntil',
  'tokenSha256',
  'linkMac',
  'linkKnownUntil',
  'eventId',
  'eventMac',
  'daysLeft',
] as const satisfies (keyof PlannedReminder)[];

type Params = ColumnMap<PlannedReminder, (typeof columns)[number]> & { readonly now: Date };

const mail = jobSql('jobs.mail.send', ['mail_id'], { messageId: 'mail_id' });
const webhook = jobSql('jobs.webhook.deliver', ['event_id'], {
  eventId: 'event_id',
  type: `'certificate.expiring'`,
});

/**
 * Writes marks, mails, links, events and jobs of a batch in one statement, so that each is sent once. Neither
 * a crash nor several copies change that. A certificate that was revoked or renewed since it was read is
 * marked, and nobody is notified.
 */
const write = statement<Params, { readonly requestId: string }>({
  name: 'write-reminders',
  emits: true,
  sql: `
with given as (
  select * from unnest(:requestId::uuid[], :lookedAt::timestamptz[], :nextAt::timestamptz[], :mailId::uuid[],
      :recipient::text[], :sealedLink::text[], :linkUntil::timestamptz[], :tokenSha256::text[], :linkMac::text[],
      :linkKnownUntil::timestamptz[], :eventId::uuid[], :eventMac::text[], :daysLeft::integer[])
    as given (request_id, looked_at, next_at, mail_id, recipient, sealed_link, link_until, token_sha256, link_mac,
      link_known_until, event_id, event_mac, days_left)
), due as materialized (
  select given.*, language, status, validation_status, ${isExpiringSql} as wanted
  from given join request on request.id = given.request_id
  where request.next_reminder_at = given.looked_at
  for update of request skip locked
), marked as (
  update request set next_reminder_at = coalesce(due.next_at, 'infinity') from due where request.id = due.request_id
), reminded as (select * from due where wanted and mail_id is not null),
told as (select * from due where wanted and event_id is not null),
linked as (
  insert into renewal_link (token_sha256, request_id, expires_at, mac)
  select token_sha256, request_id, link_known_until, link_mac from reminded where token_sha256 is not null
), mailed as (
  insert into message (id, request_id, channel, template, language, recipient, sealed_secret, secret_until, created_at)
  select mail_id, request_id, 'email', case when sealed_link is null then 'end-reminder' else 'renewal-reminder' end,
    language, recipient, sealed_link, link_until, :now
  from reminded
), noted as (
  insert into timeline (request_id, at, trigger, status, validation_status, actor)
  select request_id, :now, 'remindSubscriber', status, validation_status, 'service:intake' from reminded
), happened as (
  insert into webhook_event (id, request_id, type, occurred_at, days_left, mac)
  select event_id, request_id, 'certificate.expiring', :now, days_left, event_mac from told
), sent as (
  insert into outbox (message_id, subject, payload)
  select ${mail.id}, ${mail.subject}, ${mail.payload} from reminded
  union all
  select ${webhook.id}, ${webhook.subject}, ${webhook.payload} from told
)
select request_id as "requestId" from due`,
});

/** @returns the number of reminders that this copy has written */
export async function writeReminders(
  database: Pick<Database, 'statement'>,
  reminders: readonly PlannedReminder[],
  now: Date,
): Promise<number> {
  return (await write.run(database, { ...toColumns(reminders, columns), now })).length;
}
