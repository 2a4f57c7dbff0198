import { createText } from '@rubrica/contracts/error-texts/create-text';
import { type Database, recordAudit, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';
import { ApplicantMessageEntity, toMessageRow } from '../store/applicant-message.entity.ts';

export interface ResendApplicantMessageDeps extends Pick<NotifierDeps, 'nudgeMessages'> {
  readonly database: Pick<Database, 'transaction'>;
}

/** A superseded message is left alone: its link or code is dead, and a newer one has the living one. */
const makeDue = statement<{ id: string }>({
  name: 'resend-message',
  sql: `
update message set state = 'PENDING', due_at = now(), round_attempts = 0, resends = resends + 1, fence = fence + 1
where id = :id and state <> 'SUPERSEDED' and (expires_at is null or expires_at > now())
returning 1 as done`,
});

/** @throws AppError REQUEST_NOT_FOUND, or REQUEST_STATE_NOT_ALLOWED for what is superseded or has expired */
export function createResendApplicantMessage({
  database,
  nudgeMessages,
}: ResendApplicantMessageDeps): OperatorUseCase<'messages.resend'> {
  return async ({ id, reason }, { caller }) => {
    const message = await database.transaction(async (em) => {
      const resent = await makeDue.run(em, { id });
      const known = await em.findOne(ApplicantMessageEntity, { id });
      if (known === null || resent.length === 0) throw refusal(known?.state);
      await recordAudit(em, {
        actor: `operator:${caller.email}`,
        action: 'messages.resend',
        target: `message:${id}`,
        reason,
        details: { requestId: known.requestId },
      });
      return toMessageRow(known);
    });
    nudgeMessages();
    return message;
  };
}

function refusal(state: ApplicantMessageEntity['state'] | undefined): AppError {
  if (state === undefined) {
    return new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('operator.messageNotFound') });
  }
  const text =
    state === 'SUPERSEDED' ? createText('operator.messageSuperseded') : createText('operator.messageExpired');
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
}
