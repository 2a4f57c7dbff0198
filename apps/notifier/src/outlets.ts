import { type ServiceParts, systemClock } from '@rubrica/process';
import type { NotifierConfig } from './config.ts';
import { readDkim } from './mail/dkim.ts';
import { createSmtpTransport, type MailTransport } from './mail/smtp.ts';
import { codeConnections } from './messages.ts';
import { createHttpSms } from './sms/http-sms.ts';
import { noSmsSender, type SmsSender } from './sms/sms-sender.ts';

/** What leads out of the house, but for webhooks. */
export type Outlets = {
  letters: MailTransport;
  /** Connections that only codes use, which must not wait for a letter's. */
  codes: MailTransport;
  sms: SmsSender;
};

/**
 * Owned before the engines that send, so closed after them.
 * @throws Error at boot when the DKIM key cannot be used
 */
export async function openOutlets(config: NotifierConfig, parts: ServiceParts): Promise<Outlets> {
  const { mail } = config;
  const smtp = { url: mail.smtpUrl, from: mail.from, dkim: await readDkim(mail.dkim) };
  const letters = createSmtpTransport({ ...smtp, maxConnections: mail.concurrency });
  const codes = createSmtpTransport({ ...smtp, maxConnections: codeConnections });
  const sms = openSms(config.sms, parts);
  parts.runner.own('outlets', async () => {
    letters.close();
    codes.close();
    await sms.close();
  });
  return { letters, codes, sms };
}

function openSms(
  { url, token, timeoutSeconds, concurrency }: NotifierConfig['sms'],
  { logger }: Pick<ServiceParts, 'logger'>,
): SmsSender {
  if (url === undefined) {
    logger.warn({}, 'no SMS provider is set (SMS_URL): codes can go by e-mail only');
    return noSmsSender;
  }
  const timeoutMs = timeoutSeconds * 1_000;
  return createHttpSms({ url, token, timeoutMs, connections: concurrency, clock: systemClock });
}
