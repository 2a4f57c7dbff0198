import { statement } from '@rubrica/database/statement';
import type { SweeperTask } from '@rubrica/database/sweeper';
import type { Clock } from '@rubrica/process/time';
import { jobSql } from '../../base/jobs.ts';
import { sweeperTask } from '../../base/sweeper-task.ts';

const batchRows = 200;
const mail = jobSql('jobs.mail.send', ['id'], { messageId: 'id' });

interface Moment {
  readonly now: Date;
}

/** Writes the due reminders. Both rows are locked: a request that is being changed waits for the next run. */
const remind = statement<Moment>({
  name: 'remind-applicants',
  emits: true,
  sql: `
    with due as (
      select reminder.request_id, reminder.due_at, request.language,
        status = 'APPROVED' and claim_expires_at > :now and link_sent_at <= :now::timestamptz
          - interval '24 hours' + make_interval(hours => 24 * advanced_days) as wanted
      from claim_reminder as reminder join request on request.id = reminder.request_id
      where reminder.done_at is null and reminder.due_at <= :now
      order by reminder.due_at limit ${batchRows} for update skip locked
    ), ended as (
      delete from claim_reminder using due
      where claim_reminder.request_id = due.request_id and claim_reminder.due_at = due.due_at
    ), reminded as materialized (
      select gen_random_uuid() as id, one.request_id, one.language, link.recipient, link.sealed_secret
      -- Several that are due at once, after a downtime, make one mail.
      from (select distinct request_id, language from due where wanted) as one cross join lateral (
        select recipient, sealed_secret from message
        where message.request_id = one.request_id and template in ('claim', 'claim-reminder') and sealed_secret is not null
        order by created_at desc limit 1
      ) as link
    ), written as (
      insert into message (id, request_id, channel, template, language, recipient, sealed_secret, created_at)
      select id, request_id, 'email', 'claim-reminder', language, recipient, sealed_secret, :now from reminded
    ), noted as (
      insert into timeline (request_id, at, trigger, status, validation_status, actor)
      select request_id, :now, 'remindHolder', request.status, request.validation_status, 'service:intake'
      from reminded join request on request.id = reminded.request_id
    ), told as (
      insert into outbox (message_id, subject, payload)
      select ${mail.id}, ${mail.subject}, ${mail.payload} from reminded
    )
    select 1 from due`,
});

/**
 * Reminds applicants whose link waits, in one statement. Mail and job are written with the reminder, so that
 * it is sent once, however many copies sweep. No mail is sent if no reminder is needed any more, or if the
 * link went out within the last day. The mail carries the same link: the ciphertext of the newest mail, which
 * only the notifier can open.
 */
export function remindApplicants(clock: Clock): SweeperTask {
  return sweeperTask(remind, { batchRows, emits: true, params: () => ({ now: clock() }) });
}

/**
 * Removes expired secrets. The request is locked too, as by every transaction that ends a code: two of them
 * with one row each would deadlock.
 */
const forget = statement<Moment>({
  name: 'forget-message-secrets',
  sql: `
    with over as (
      select message.id from message join request on request.id = message.request_id
      where sealed_secret is not null and secret_until <= :now
      order by secret_until limit ${batchRows} for update skip locked
    ), ended as (
      update claim_code set digest = null, sealed_key = null from over where claim_code.id = over.id
    )
    update message set sealed_secret = null from over where message.id = over.id returning 1`,
});

/**
 * Destroys secrets that have outlived their use: codes after minutes, links after the days of the download.
 */
export function forgetSecrets(clock: Clock): SweeperTask {
  return sweeperTask(forget, { batchRows, params: () => ({ now: clock() }) });
}
