import { recordAudit } from '@rubrica/audit/log';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';
import { ApplicantMessageEntity, toMessageRow } from '../store/applicant-message.entity.ts';

export interface ResendApplicantMessageDeps extends Pick<NotifierDeps, 'nudgeMessages'> {
  readonly database: Pick<Database, 'transaction'>;
}

/**
 * Makes a message due again. A superseded message is excluded: its link or code is invalid, and a newer message has the
 * valid one.
 */
const markDue = statement<{ id: string }>({
  name: 'resend-message',
  sql: `
update message set state = 'PENDING', due_at = now(), round_attempts = 0, resends = resends + 1, fence = fence + 1
where id = :id and state <> 'SUPERSEDED' and (expires_at is null or expires_at > now())
returning 1 as done`,
});

/**
 * Sends a message again.
 * @throws AppError REQUEST_NOT_FOUND; REQUEST_STATE_NOT_ALLOWED for a superseded or expired message
 */
export function createResendApplicantMessage({
  database,
  nudgeMessages,
}: ResendApplicantMessageDeps): OperatorUseCase<'messages.resend'> {
  return async ({ id, reason }, { caller }) => {
    const row = await database.transaction(async (em) => {
      const resent = await markDue.run(em, { id });
      const message = await em.findOne(ApplicantMessageEntity, { id });
      if (message === null || resent.length === 0) throw createRefusal(message?.state);
      await recordAudit(em, {
        actor: `operator:${caller.email}`,
        action: 'messages.resend',
        target: `message:${id}`,
        reason,
        details: { requestId: message.requestId },
      });
      return toMessageRow(message);
    });
    nudgeMessages();
    return row;
  };
}

function createRefusal(state: ApplicantMessageEntity['state'] | undefined): AppError {
  if (state === undefined) {
    return new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('operator.messageNotFound') });
  }
  const text =
    state === 'SUPERSEDED' ? createText('operator.messageSuperseded') : createText('operator.messageExpired');
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
}
