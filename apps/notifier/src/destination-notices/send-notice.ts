import * as fields from '@rubrica/contracts/shared/fields';
import { crashpoint } from '@rubrica/process/crashpoint';
import type { Logger } from '@rubrica/process/log';
import type { Peers } from '@rubrica/wiring';
import { toDestination } from '../destinations/destination.ts';
import { explainSmtpError, formatMessageId, type MailTransport } from '../mail/smtp.ts';
import { letterSchedule, nextDelayMs } from '../send-queue/retry-schedule.ts';
import { crashPoints } from './crash-points.ts';
import type { LeasedNotice, NoticeRecord } from './notice.store.ts';
import { renderNotice } from './render-notice.ts';

export interface SendNoticeDeps {
  readonly intake: Pick<Peers<'notifier'>['intake'], 'partners.contact'>;
  missed(notice: LeasedNotice): Promise<number>;
  readonly transport: Pick<MailTransport, 'send'>;
  /** Maximum duration of sending. */
  readonly budgetMs: number;
  /** Part after the @ of Message-IDs. */
  readonly messageIdDomain: string;
  /** Recipient of alerts to operators; it may have been unset since. */
  readonly operatorAlertEmail: string | undefined;
  readonly timeZone: string;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

type Result = Pick<NoticeRecord, 'outcome' | 'error'> & { final: 'SENT' | 'FAILED' | undefined };

/**
 * Makes one attempt at a notice. All attempts share one Message-ID, so a repetition after a crash shows as one mail.
 */
export async function sendNotice(notice: LeasedNotice, deps: SendNoticeDeps): Promise<NoticeRecord> {
  const started = performance.now();
  const { final, outcome, error } = await trySending(notice, deps);
  const { id, kind, fence } = notice;
  const record = { id, kind, fence, outcome, error, durationMs: Math.round(performance.now() - started) };
  if (final !== undefined) return { ...record, state: final, retryAfterMs: null };
  const delayMs = nextDelayMs(letterSchedule, notice.roundAttempts + 1, { random: deps.random() });
  return { ...record, state: delayMs === undefined ? 'FAILED' : 'PENDING', retryAfterMs: delayMs ?? null };
}

async function trySending(notice: LeasedNotice, deps: SendNoticeDeps): Promise<Result> {
  // The mail contains only a valid destination, never other text from its row.
  if (!URL.canParse(notice.about) || toDestination(notice.about) !== notice.about) {
    return { outcome: 'REFUSED', error: 'the destination is none', final: 'FAILED' };
  }
  const prepared = await prepareMail(notice, deps).catch((err: unknown) => {
    deps.logger.warn({ err, messageId: notice.id }, 'notice not prepared');
    return undefined;
  });
  if (prepared === undefined) {
    return { outcome: 'NOT_PREPARED', error: 'the notice could not be prepared', final: undefined };
  }
  if (!fields.email.safeParse(prepared.to).success) {
    return { outcome: 'REFUSED', error: 'the recipient is no e-mail address', final: 'FAILED' };
  }
  crashpoint(crashPoints.noticeBeforeSend);
  try {
    const messageId = formatMessageId(notice.id, deps.messageIdDomain);
    await deps.transport.send({ ...prepared, messageId }, deps.budgetMs);
  } catch (error) {
    const { final, text } = explainSmtpError(error);
    return { outcome: final ? 'REFUSED' : 'UNAVAILABLE', error: text, final: final ? 'FAILED' : undefined };
  }
  crashpoint(crashPoints.noticeAfterSend);
  return { outcome: 'SENT', error: null, final: 'SENT' };
}

async function prepareMail(notice: LeasedNotice, deps: SendNoticeDeps) {
  const { partnerId, kind } = notice;
  const [contact, missed] = await Promise.all([
    deps.intake['partners.contact']({ partnerId }),
    deps.missed(notice),
  ]);
  const to = kind === 'operator-alert' ? (deps.operatorAlertEmail ?? '') : contact.email;
  const reader = { partnerName: contact.name, language: contact.language };
  return { to, ...renderNotice(notice, reader, { missed, timeZone: deps.timeZone }) };
}
