import * as fields from '@rubrica/contracts/shared/fields';
import { crashpoint } from '@rubrica/process/crashpoint';
import { explainSmtpError, formatMessageId, type MailTransport } from '../mail/smtp.ts';
import { crashPoints } from './crash-points.ts';
import { renderMail } from './render-mail.ts';
import type { SendByChannel } from './send-applicant-message.ts';

export interface SendByMailDeps {
  readonly transport: Pick<MailTransport, 'send'>;
  /** Part after the @ of Message-IDs. */
  readonly messageIdDomain: string;
  readonly budgetMs: number;
  readonly baseUrl: string;
  readonly timeZone: string;
}

export function createSendByMail(deps: SendByMailDeps): SendByChannel {
  return async ({ message, secret }) => {
    // The mail library would build an address from any text, with the domain that the text happens to end with.
    if (!fields.email.safeParse(message.to).success) {
      return { outcome: 'REFUSED', error: 'the recipient is no e-mail address' };
    }
    const rendered = renderMail(message, { ...deps, secret });
    crashpoint(crashPoints.mailBeforeSend);
    try {
      const messageId = formatMessageId(message.messageId, deps.messageIdDomain);
      await deps.transport.send({ to: message.to, ...rendered, messageId }, deps.budgetMs);
    } catch (error) {
      const { final, text } = explainSmtpError(error);
      return { outcome: final ? 'REFUSED' : 'UNAVAILABLE', error: text };
    }
    crashpoint(crashPoints.mailAfterSend);
    return { outcome: 'SENT', error: null };
  };
}
