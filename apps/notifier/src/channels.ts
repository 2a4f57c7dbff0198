import type { ServiceParts } from '@rubrica/process';
import { readNetworks } from '@rubrica/process';
import { codeConnections } from './applicant-messages/message-queues.ts';
import type { NotifierConfig } from './config.ts';
import { createDialer, type Dialer } from './dialer/dialer.ts';
import { readDkim } from './mail/dkim.ts';
import { createSmtpTransport, type MailTransport } from './mail/smtp.ts';
import { createHttpSms } from './sms/http-sms.ts';
import { noSmsSender, type SmsSender } from './sms/sms-sender.ts';

/** The ways out of this service: to partners' receivers, the mail server and the SMS provider. */
export interface Channels {
  readonly dialer: Dialer;
  readonly letters: MailTransport;
  /** Connections that only codes use, which must not wait for a letter's. */
  readonly codes: MailTransport;
  readonly sms: SmsSender;
}

/**
 * Owned before the queues that send, so closed after them.
 * @throws Error at boot when the DKIM key cannot be used
 */
export async function openChannels(config: NotifierConfig, parts: ServiceParts): Promise<Channels> {
  const { mail } = config;
  const smtp = { url: mail.smtpUrl, from: mail.from, dkim: await readDkim(mail.dkim) };
  const letters = createSmtpTransport({ ...smtp, maxConnections: mail.concurrency });
  const codes = createSmtpTransport({ ...smtp, maxConnections: codeConnections });
  const sms = openSms(config.sms, parts);
  const dialer = openDialer(config.webhook, parts);
  parts.runner.own('channels', async () => {
    letters.close();
    codes.close();
    await sms.close();
    await dialer.close();
  });
  return { dialer, letters, codes, sms };
}

function openDialer(webhook: NotifierConfig['webhook'], { logger }: Pick<ServiceParts, 'logger'>): Dialer {
  const { allowLoopback, allowedNetworks, concurrency, timeoutSeconds } = webhook;
  return createDialer({
    policy: { allowLoopback, allowedNetworks: readNetworks(allowedNetworks) },
    budgetMs: timeoutSeconds * 1_000,
    // The lanes bound those of each partner; receivers of many partners may stand behind one host.
    connectionsPerDestination: concurrency,
    onRefused: ({ host, address, kind }) =>
      logger.info(
        { host, reason: `${address} (${kind})` },
        'receiver refused: its name leads to no public address',
      ),
  });
}

function openSms(
  { url, token, timeoutSeconds, concurrency }: NotifierConfig['sms'],
  { logger, clock }: Pick<ServiceParts, 'logger' | 'clock'>,
): SmsSender {
  if (url === undefined) {
    logger.warn({}, 'no SMS provider is set (SMS_URL): codes can go by e-mail only');
    return noSmsSender;
  }
  const timeoutMs = timeoutSeconds * 1_000;
  return createHttpSms({ url, token, timeoutMs, connections: concurrency, clock: clock.bestKnown });
}
