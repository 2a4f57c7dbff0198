import { fields, type messagesContract } from '@rubrica/contracts';
import { crashpoint, type Keyring, type Logger } from '@rubrica/service';
import { crashPoints } from '../crash-points.ts';
import { messageSchedule, nextDelayMs } from '../engine/schedule.ts';
import type { Peers } from '../peers.ts';
import type { ClaimedMessage, MessageRecord } from './message.store.ts';
import { renderMail } from './render-mail.ts';
import { explainSmtpError, type MailTransport } from './smtp.ts';

export type SendMessageDeps = {
  peers: Pick<Peers, 'message'>;
  keyring: Pick<Keyring, 'openText'>;
  transport: Pick<MailTransport, 'send'>;
  /** Part after the @ of Message-IDs. */
  messageIdDomain: string;
  baseUrl: string;
  timeZone: string;
  /** Uniform in [0, 1). */
  random: () => number;
  logger: Pick<Logger, 'warn'>;
};

type Result = Pick<MessageRecord, 'outcome' | 'error'> & { final: MessageRecord['state'] | undefined };

/**
 * One attempt at a mail. What it says is asked for anew unless it is `known`: a link that has died meanwhile
 * must not be sent, and the ledger holds no links.
 */
export async function sendMessage(
  message: ClaimedMessage,
  known: messagesContract.OutgoingMessage | undefined,
  deps: SendMessageDeps,
): Promise<MessageRecord> {
  const started = performance.now();
  const { final, outcome, error } = await trySending(message, known, deps);
  const { id, fence } = message;
  const durationMs = Math.round(performance.now() - started);
  if (final !== undefined) return { id, fence, durationMs, outcome, error, state: final, retryAfterMs: null };
  const delayMs = nextDelayMs(messageSchedule, message.roundAttempts + 1, { random: deps.random() });
  const state = delayMs === undefined ? 'FAILED' : 'PENDING';
  return { id, fence, durationMs, outcome, error, state, retryAfterMs: delayMs ?? null };
}

async function trySending(
  { id }: ClaimedMessage,
  known: messagesContract.OutgoingMessage | undefined,
  deps: SendMessageDeps,
): Promise<Result> {
  const prepared = await prepare(id, known, deps).catch((err: unknown) => {
    deps.logger.warn({ err, messageId: id }, 'a mail could not be prepared');
    return undefined;
  });
  if (prepared === undefined) {
    return { outcome: 'NOT_PREPARED', error: 'the mail could not be prepared', final: undefined };
  }
  if (prepared === 'superseded') {
    return { outcome: 'SUPERSEDED', error: 'a newer message has taken its place', final: 'SUPERSEDED' };
  }
  // The mail library would make one address of anything, in whatever domain the text happens to end with.
  if (!fields.email.safeParse(prepared.to).success) {
    return { outcome: 'REFUSED', error: 'the recipient is no e-mail address', final: 'FAILED' };
  }
  crashpoint(crashPoints.mailBeforeSend);
  try {
    await deps.transport.send({ ...prepared, messageId: `<${id}@${deps.messageIdDomain}>` });
  } catch (error) {
    const { final, text } = explainSmtpError(error);
    return { outcome: final ? 'REFUSED' : 'UNAVAILABLE', error: text, final: final ? 'FAILED' : undefined };
  }
  crashpoint(crashPoints.mailAfterSend);
  return { outcome: 'SENT', error: null, final: 'SENT' };
}

async function prepare(
  id: string,
  known: messagesContract.OutgoingMessage | undefined,
  { peers, keyring, baseUrl, timeZone }: SendMessageDeps,
) {
  const mail = known ?? (await peers.message(id));
  if (mail.sealedSecret === null) return 'superseded';
  const token = await keyring.openText(mail.sealedSecret);
  return { to: mail.to, ...renderMail(mail, { token, baseUrl, timeZone }) };
}
