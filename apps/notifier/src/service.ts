import type { Bus } from '@rubrica/bus';
import { consumers } from '@rubrica/contracts/messages/messages';
import { createSweeper, type Database, type Sweeper } from '@rubrica/database';
import {
  AppError,
  type BuiltService,
  currentContext,
  type Keyring,
  loadKeyring,
  type ServiceParts,
  systemClock,
} from '@rubrica/process';
import { consumeMessages, type Handled, openBus, serveRouters } from '@rubrica/wiring';
import { openDatabase, startAuditChain } from '@rubrica/wiring/database';
import { auditLog } from './audit/audit-log.ts';
import type { NotifierConfig } from './config.ts';
import { stopDeliveries } from './endpoints/stop-deliveries.ts';
import { webhookSchedule } from './engine/schedule.ts';
import { readNetworks } from './guard/address-rules.ts';
import type { DestinationPolicy } from './guard/destination.ts';
import { createMessages, type Messages } from './messages.ts';
import { createNotices } from './notices.ts';
import { createNotifierMetrics } from './notifier-metrics.ts';
import { type Outlets, openOutlets } from './outlets.ts';
import { createPeers, type Peers } from './peers.ts';
import { purgePayloads } from './purge-payloads/purge-payloads.ts';
import { startTellingGeneration } from './purge-payloads/tell-generation-loop.ts';
import { operatorRouter, serviceRouter } from './router.ts';
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
  const sweeper = createSweeper({
    database,
    tasks: [purgePayloads, stopDeliveries],
    logger: parts.logger,
  });
  const { webhooks, messages, notices } = createEngines({ ...core, ...outlets }, config, {
    ...parts,
    sweeper,
  });
  return {
    async start() {
      webhooks.start();
      messages.start();
      notices.start();
      sweeper.start();
      parts.runner.own('webhooks', webhooks.stop);
      parts.runner.own('messages', messages.stop);
      parts.runner.own('notices', notices.stop);
      parts.runner.own('sweeper', sweeper.stop);
      startAuditChain(
        { database, databaseUrl: config.database.url, table: auditLog.table, keyring, clock: systemClock },
        parts,
      );
      const deps = {
        database,
        keyring,
        nudgeDeliveries: webhooks.nudge,
        nudgeMessages: messages.nudge,
        nudgeNotices: notices.nudge,
        ping: webhooks.ping,
      };
      const telling = startTellingGeneration({ ...core, logger: parts.logger });
      parts.runner.own('telling generation', telling.stop);
      const routers = { service: serviceRouter, operators: operatorRouter };
      await serveRouters({ name: 'notifier', bus, keyring, deps, ...routers }, parts);
      startJobs(core, parts, { webhooks, messages });
    },
  };
}

function createEngines(
  core: Core & Outlets,
  config: NotifierConfig,
  { logger, metrics, sweeper }: ServiceParts & { sweeper: Sweeper },
) {
  const { webhook, mail, sms, baseUrl, timeZone } = config;
  const counters = createNotifierMetrics(metrics, {
    inHand: () => webhooks.inHand(),
    resting: () => webhooks.resting(),
  });
  const webhooks: Webhooks = createWebhooks({
    ...core,
    dialer: { policy: policyOf(webhook), budgetMs: webhook.timeoutSeconds * 1_000 },
    limits: { total: webhook.concurrency, perDestination: webhook.concurrencyPerDestination },
    schedule: webhookSchedule,
    timeZone,
    clock: systemClock,
    logger,
    onAttempt: counters.attempted,
    disableAfterHours: webhook.disableAfterHours,
    alertsOperator: webhook.operatorAlertEmail !== undefined,
    onDisabled(destination) {
      logger.warn(destination, 'a destination is disabled after days of nothing but failures');
      counters.disabled();
      notices.nudge();
      // What waits for it is stopped now rather than at the next round, or it would be tried until then.
      void sweeper.sweep();
    },
  });
  const notices = createNotices({
    ...core,
    from: mail.from,
    transport: core.letters,
    operatorAlertEmail: webhook.operatorAlertEmail,
    timeZone,
    logger,
    onAttempt: counters.noticed,
  });
  const messages = createMessages({
    ...core,
    mail: {
      from: mail.from,
      concurrency: mail.concurrency,
      transport: core.letters,
      codeTransport: core.codes,
    },
    sms: { sender: core.sms, concurrency: sms.concurrency },
    baseUrl,
    timeZone,
    clock: systemClock,
    logger,
    onAttempt: counters.messaged,
  });
  return { webhooks, messages, notices };
}

const policyOf = ({ allowLoopback, allowedNetworks }: NotifierConfig['webhook']): DestinationPolicy => ({
  allowLoopback,
  allowedNetworks: readNetworks(allowedNetworks),
});

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

/** A job whose record its owner does not know, or whose bundle is destroyed, can never be done. */
const goneCodes: readonly string[] = ['REQUEST_NOT_FOUND', 'PAYLOAD_EXPIRED'];

/** Resolves when the ledger has the work. */
async function unlessGone(work: Promise<void>): Promise<Handled> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError && goneCodes.includes(error.code)) return { never: error };
    throw error;
  }
  return undefined;
}
