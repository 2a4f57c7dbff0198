import type { SweeperTask } from '@rubrica/database';
import type { Clock } from '@rubrica/process';

const batchRows = 200;

/**
 * Reminds applicants whose link waits, in one statement: a reminder is marked and its mail and job are written together,
 * so that it goes out once, however many copies sweep. It is marked without a mail where no reminder is needed
 * any more, or where the link went out within the last day. The mail carries the same link: the ciphertext of the
 * newest mail, which only the notifier can open.
 */
export function remindApplicants(clock: Clock): SweeperTask {
  return {
    name: 'remind-applicants',
    batchRows,
    emits: true,
    get params() {
      return [clock()];
    },
    // Both rows are locked: a request that is being changed right now waits for the next round.
    text: `
    with due as (
      select reminder.request_id, reminder.due_at, request.language,
        status = 'APPROVED' and claim_expires_at > $1 and link_sent_at <= $1::timestamptz - interval '24 hours' as wanted
      from claim_reminder as reminder join request on request.id = reminder.request_id
      where reminder.done_at is null and reminder.due_at <= $1
      order by reminder.due_at limit ${batchRows} for update skip locked
    ), marked as (
      update claim_reminder set done_at = $1 from due
      where claim_reminder.request_id = due.request_id and claim_reminder.due_at = due.due_at
    ), reminded as materialized (
      select gen_random_uuid() as id, one.request_id, one.language, link.recipient, link.sealed_secret
      -- Several at once, after a stand-still, make one mail.
      from (select distinct request_id, language from due where wanted) as one cross join lateral (
        select recipient, sealed_secret from message
        where message.request_id = one.request_id and template in ('claim', 'claim-reminder') and sealed_secret is not null
        order by created_at desc limit 1
      ) as link
    ), written as (
      insert into message (id, request_id, channel, template, language, recipient, sealed_secret, created_at)
      select id, request_id, 'email', 'claim-reminder', language, recipient, sealed_secret, $1 from reminded
    ), noted as (
      insert into timeline (request_id, at, trigger, status, validation_status, actor)
      select request_id, $1, 'remindHolder', request.status, request.validation_status, 'service:intake'
      from reminded join request on request.id = reminded.request_id
    ), told as (
      insert into outbox (message_id, subject, payload)
      select 'mail:' || id, 'jobs.mail.send', jsonb_build_object('messageId', id) from reminded
    )
    select 1 from due`,
  };
}

/** Destroys what has outlived its use: codes after minutes, links after the days of the download. */
export function forgetSecrets(clock: Clock): SweeperTask {
  return {
    name: 'forget-message-secrets',
    batchRows,
    get params() {
      return [clock()];
    },
    // The request is locked too, as by all who end a code: two transactions with a row each would wait for one another.
    text: `
    with over as (
      select message.id from message join request on request.id = message.request_id
      where sealed_secret is not null and secret_until <= $1
      order by secret_until limit ${batchRows} for update skip locked
    ), ended as (
      update claim_code set digest = null, sealed_key = null from over where claim_code.id = over.id
    )
    update message set sealed_secret = null from over where message.id = over.id returning 1`,
  };
}
