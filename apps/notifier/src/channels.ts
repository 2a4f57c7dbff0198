import type { ServiceParts } from '@rubrica/process';
import { readNetworks } from '@rubrica/process';
import { codeConnections } from './applicant-messages/message-queues.ts';
import type { NotifierConfig } from './config.ts';
import { createDialer, type Dialer } from './dialer/dialer.ts';
import { readDkim } from './mail/dkim.ts';
import { createSmtpTransport, type MailTransport } from './mail/smtp.ts';
import { createHttpSms } from './sms/http-sms.ts';
import { noSmsSender, type SmsSender } from './sms/sms-sender.ts';

/** Outgoing channels of this service: partners' receivers, the mail server and the SMS provider. */
export interface Channels {
  readonly dialer: Dialer;
  readonly letters: MailTransport;
  /** Connections for codes only, which must not wait for a letter. */
  readonly codes: MailTransport;
  readonly sms: SmsSender;
}

/**
 * Opens the channels. They are registered before the queues that send, so they close after them.
 * @throws Error at the start when the DKIM key cannot be used
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
    // Lanes limit each partner's attempts; receivers of many partners may share a host.
    connectionsPerDestination: concurrency,
    onRefused: ({ host, address, kind }) =>
      logger.info(
        { host, reason: `${address} (${kind})` },
        'receiver refused: name resolves to no public address',
      ),
  });
}

function openSms(
  { url, token, timeoutSeconds, concurrency }: NotifierConfig['sms'],
  { logger, clock }: Pick<ServiceParts, 'logger' | 'clock'>,
): SmsSender {
  if (url === undefined) {
    logger.warn({}, 'no SMS provider configured (SMS_URL): codes are sent by e-mail only');
    return noSmsSender;
  }
  const timeoutMs = timeoutSeconds * 1_000;
  return createHttpSms({ url, token, timeoutMs, connections: concurrency, clock: clock.bestKnown });
}
