import { type Database, recordAudit, runnerOf } from '@rubrica/database';
import { AppError } from '@rubrica/service';
import type { NotifierDeps } from '../context.ts';
import { type MessageRow, messageColumns } from '../store/rows.ts';

export type ResendMessage = { id: string; reason: string | undefined; actor: string };

/** A superseded mail is left alone: its link is dead, and a newer mail has the living one. */
const resendSql = `
update message set state = 'PENDING', due_at = now(), round_attempts = 0, fence = fence + 1
where id = $1 and state <> 'SUPERSEDED' returning ${messageColumns}`;

/** @throws AppError REQUEST_NOT_FOUND, or REQUEST_STATE_NOT_ALLOWED for a superseded mail */
export async function resendMessage(
  {
    database,
    nudgeMessages,
  }: { database: Pick<Database, 'transaction'> } & Pick<NotifierDeps, 'nudgeMessages'>,
  { id, reason, actor }: ResendMessage,
): Promise<MessageRow> {
  const message = await database.transaction(async (em) => {
    const sql = runnerOf(em);
    const [resent] = await sql.execute<MessageRow>(resendSql, [id]);
    if (resent === undefined) {
      const [known] = await sql.execute('select 1 from message where id = $1', [id]);
      throw known === undefined ? messageNotFound() : superseded();
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

const messageNotFound = () =>
  new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'The message was not found' });

const superseded = () =>
  new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    publicMessage: 'This message was overtaken by a newer one; resend that one',
  });
