import { consumeMessages, type Handled, openBus, serveRouters } from '@rubrica/app';
import { openDatabase } from '@rubrica/app/database';
import type { Bus } from '@rubrica/bus';
import { consumers } from '@rubrica/contracts';
import { createSweeper, type Database } from '@rubrica/database';
import {
  AppError,
  type BuiltService,
  currentContext,
  type Keyring,
  loadKeyring,
  type ServiceParts,
  systemClock,
} from '@rubrica/service';
import type { NotifierConfig } from './config.ts';
import { webhookSchedule } from './engine/schedule.ts';
import { readDkim } from './mail/dkim.ts';
import { createSmtpTransport } from './mail/smtp.ts';
import { codeConnections, createMessages, type Messages } from './messages.ts';
import { createNotifierMetrics } from './notifier-metrics.ts';
import { createPeers, type Peers } from './peers.ts';
import { purgePayloads } from './purge-payloads/purge-payloads.ts';
import { operatorRouter } from './router.ts';
import { createHttpSms } from './sms/http-sms.ts';
import { noSmsSender } from './sms/sms-sender.ts';
import { schema } from './store/schema.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** Jobs worked on at once: each waits for two calls, so few would leave the service idle. */
const webhookJobSlots = 64;
const mailJobSlots = 8;
const smsJobSlots = 8;
const peerTimeoutMs = 5_000;

type Core = { database: Database; bus: Bus; keyring: Keyring; peers: Peers };

/**
 * Wires the service. What is owned first is stopped last: jobs and calls end before the engines, which finish
 * what is under way, before the bus and the database.
 */
export async function buildService(config: NotifierConfig, parts: ServiceParts): Promise<BuiltService> {
  const keyring = await loadKeyring(config.keys, 'notifier');
  const database = openDatabase({ url: config.database.url, schema, entities: [] }, parts);
  const bus = await openBus('notifier', config.nats, parts);
  const core = { database, bus, keyring, peers: createPeers({ bus, keyring, timeoutMs: peerTimeoutMs }) };
  const outlets = await openOutlets(config, parts);
  const { webhooks, messages } = createEngines({ ...core, ...outlets }, config, parts);
  const sweeper = createSweeper({ database, tasks: [purgePayloads], logger: parts.logger });
  return {
    async start() {
      webhooks.start();
      messages.start();
      sweeper.start();
      parts.runner.own('webhooks', webhooks.stop);
      parts.runner.own('messages', messages.stop);
      parts.runner.own('sweeper', sweeper.stop);
      const deps = { database, nudgeDeliveries: webhooks.nudge, nudgeMessages: messages.nudge };
      await serveRouters({ name: 'notifier', bus, keyring, deps, operators: operatorRouter }, parts);
      startJobs(core, parts, { webhooks, messages });
    },
  };
}

/** What leads out of the house, for messages of every kind. Owned before the engines, so closed after them. */
async function openOutlets({ mail, sms }: NotifierConfig, { logger, runner }: ServiceParts) {
  const smtp = { url: mail.smtpUrl, from: mail.from, dkim: await readDkim(mail.dkim) };
  const transport = createSmtpTransport({ ...smtp, maxConnections: mail.concurrency });
  const codeTransport = createSmtpTransport({ ...smtp, maxConnections: codeConnections });
  if (sms.url === undefined) logger.warn({}, 'no SMS provider is set (SMS_URL): codes can go by e-mail only');
  const smsSender =
    sms.url === undefined
      ? noSmsSender
      : createHttpSms({
          url: sms.url,
          token: sms.token,
          timeoutMs: sms.timeoutSeconds * 1_000,
          connections: sms.concurrency,
          clock: systemClock,
        });
  runner.own('outlets', async () => {
    transport.close();
    codeTransport.close();
    await smsSender.close();
  });
  return { transport, codeTransport, smsSender };
}

type Outlets = Awaited<ReturnType<typeof openOutlets>>;

function createEngines(core: Core & Outlets, config: NotifierConfig, { logger, metrics }: ServiceParts) {
  const { webhook, mail, sms, baseUrl, timeZone } = config;
  const counters = createNotifierMetrics(metrics, { inHand: () => webhooks.inHand() });
  const webhooks: Webhooks = createWebhooks({
    ...core,
    dialer: { policy: { allowLoopback: webhook.allowLoopback }, budgetMs: webhook.timeoutSeconds * 1_000 },
    limits: { total: webhook.concurrency, perDestination: webhook.concurrencyPerDestination },
    schedule: webhookSchedule,
    timeZone,
    clock: systemClock,
    logger,
    onAttempt: counters.attempted,
  });
  const { transport, codeTransport, smsSender } = core;
  const messages = createMessages({
    ...core,
    mail: { from: mail.from, concurrency: mail.concurrency, transport, codeTransport },
    sms: { sender: smsSender, concurrency: sms.concurrency },
    baseUrl,
    timeZone,
    clock: systemClock,
    logger,
    onAttempt: counters.messaged,
  });
  return { webhooks, messages };
}

function startJobs(
  { bus }: Core,
  { logger, runner }: ServiceParts,
  { webhooks, messages }: { webhooks: Webhooks; messages: Messages },
): void {
  const webhookJobs = consumeMessages({
    bus,
    logger,
    consumer: consumers.webhookJobs,
    slots: webhookJobSlots,
    handlers: {
      'jobs.webhook.deliver': ({ eventId }) =>
        unlessGone(webhooks.receive({ eventId, traceparent: currentContext()?.traceparent })),
    },
  });
  runner.own('webhook jobs', webhookJobs.stop);
  const mailJobs = consumeMessages({
    bus,
    logger,
    consumer: consumers.mailJobs,
    slots: mailJobSlots,
    handlers: { 'jobs.mail.send': ({ messageId }) => unlessGone(messages.receive(messageId)) },
  });
  runner.own('mail jobs', mailJobs.stop);
  const smsJobs = consumeMessages({
    bus,
    logger,
    consumer: consumers.smsJobs,
    slots: smsJobSlots,
    handlers: { 'jobs.sms.send': ({ messageId }) => unlessGone(messages.receive(messageId)) },
  });
  runner.own('sms jobs', smsJobs.stop);
}

/** Resolves when the ledger has the work. A job whose record its owner does not know can never be done. */
async function unlessGone(work: Promise<void>): Promise<Handled> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError && error.code === 'REQUEST_NOT_FOUND') return { never: error };
    throw error;
  }
  return undefined;
}
