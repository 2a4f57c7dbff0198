import { type Database, recordAudit, runnerOf } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { NotifierDeps } from '../context.ts';
import { type MessageRow, messageColumns } from '../store/rows.ts';

export type ResendApplicantMessage = { id: string; reason: string | undefined; actor: string };

/** A superseded message is left alone: its link or code is dead, and a newer one has the living one. */
const resendSql = `
update message set state = 'PENDING', due_at = now(), round_attempts = 0, resends = resends + 1, fence = fence + 1
where id = $1 and state <> 'SUPERSEDED' and (expires_at is null or expires_at > now())
returning ${messageColumns}`;

/** @throws AppError REQUEST_NOT_FOUND, or REQUEST_STATE_NOT_ALLOWED for what was overtaken or has expired */
export async function resendApplicantMessage(
  {
    database,
    nudgeMessages,
  }: { database: Pick<Database, 'transaction'> } & Pick<NotifierDeps, 'nudgeMessages'>,
  { id, reason, actor }: ResendApplicantMessage,
): Promise<MessageRow> {
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
    const { requestId } = resent;
    await recordAudit(em, {
      actor,
      action: 'messages.resend',
      target: `message:${id}`,
      reason,
      details: { requestId },
    });
    return resent;
  });
  nudgeMessages();
  return message;
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
