import { crashpoint } from '@rubrica/process/crashpoint';
import type { SmsSender } from '../sms/sms-sender.ts';
import { crashPoints } from './crash-points.ts';
import { renderSms } from './render-sms.ts';
import type { SendByChannel } from './send-applicant-message.ts';

export interface SendBySmsDeps {
  readonly sender: Pick<SmsSender, 'send'>;
  readonly timeZone: string;
  readonly baseUrl: string;
}

/** ITU-T E.164: at most 15 digits. */
const e164 = /^\+[1-9][0-9]{6,14}$/;

export function createSendBySms(deps: SendBySmsDeps): SendByChannel {
  return async ({ message, secret, resends }) => {
    if (!e164.test(message.to)) return { outcome: 'REFUSED', error: 'the recipient is no telephone number' };
    const text = renderSms(message, { ...deps, secret });
    if (text === undefined) return { outcome: 'REFUSED', error: 'this message has no form for SMS' };
    // A manual resend must not be dropped as a duplicate.
    const id = resends === 0 ? message.messageId : `${message.messageId}-${resends}`;
    crashpoint(crashPoints.smsBeforeSend);
    const sent = await deps.sender.send({ id, to: message.to, text });
    if (sent.outcome !== 'ACCEPTED') return sent;
    crashpoint(crashPoints.smsAfterSend);
    return { outcome: 'SENT', error: null };
  };
}
