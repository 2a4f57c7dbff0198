import { type Database, recordAudit, runnerOf } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';
import { type MessageRow, messageColumns } from '../store/rows.ts';

export interface ResendApplicantMessageDeps extends Pick<NotifierDeps, 'nudgeMessages'> {
  readonly database: Pick<Database, 'transaction'>;
}

/** A superseded message is left alone: its link or code is dead, and a newer one has the living one. */
const resendSql = `
update message set state = 'PENDING', due_at = now(), round_attempts = 0, resends = resends + 1, fence = fence + 1
where id = $1 and state <> 'SUPERSEDED' and (expires_at is null or expires_at > now())
returning ${messageColumns}`;

/** @throws AppError REQUEST_NOT_FOUND, or REQUEST_STATE_NOT_ALLOWED for what is superseded or has expired */
export function createResendApplicantMessage({
  database,
  nudgeMessages,
}: ResendApplicantMessageDeps): OperatorUseCase<'messages.resend'> {
  return async ({ id, reason }, { caller }) => {
    const message = await database.transaction(async (em) => {
      const sql = runnerOf(em);
      const [resent] = await sql.execute<MessageRow>(resendSql, [id]);
      if (resent === undefined) {
        const [known] = await sql.execute<Pick<MessageRow, 'state'>>(
          'select state from message where id = $1',
          [id],
        );
        throw refusal(known?.state);
      }
      await recordAudit(em, {
        actor: `operator:${caller.email}`,
        action: 'messages.resend',
        target: `message:${id}`,
        reason,
        details: { requestId: resent.requestId },
      });
      return resent;
    });
    nudgeMessages();
    return message;
  };
}

function refusal(state: MessageRow['state'] | undefined): AppError {
  if (state === undefined) {
    return new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'The message was not found' });
  }
  const publicMessage =
    state === 'SUPERSEDED'
      ? 'This message was overtaken by a newer one, or expired before it could be sent; resend the newer one'
      : 'The link or code of this message has expired: sent again, it would open nothing';
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', publicMessage });
}
