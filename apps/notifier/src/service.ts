import { type Bus, serveRouter } from '@rubrica/bus';
import { consumers } from '@rubrica/contracts';
import { createSweeper, type Database } from '@rubrica/database';
import {
  type BuiltService,
  createCallContext,
  createCallMetrics,
  type Keyring,
  loadKeyring,
  type ServiceParts,
  systemClock,
} from '@rubrica/service';
import type { NotifierConfig } from './config.ts';
import { consumeJobs } from './consume-jobs.ts';
import type { NotifierDeps } from './context.ts';
import { webhookSchedule } from './engine/schedule.ts';
import { createMails, type Mails } from './mails.ts';
import { createNotifierMetrics } from './notifier-metrics.ts';
import { openBus, openDatabase } from './open-connections.ts';
import { createPeers, type Peers } from './peers.ts';
import { purgePayloads } from './purge-payloads/purge-payloads.ts';
import { operatorRouter } from './router.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** Jobs worked on at once: each waits for two calls, so few would leave the service idle. */
const webhookJobSlots = 64;
const mailJobSlots = 8;
const peerTimeoutMs = 5_000;

type Core = { database: Database; bus: Bus; keyring: Keyring; peers: Peers };

/**
 * Wires the service. What is owned first is stopped last: jobs and calls end before the engines, which finish
 * what is under way, before the bus and the database.
 */
export async function buildService(config: NotifierConfig, parts: ServiceParts): Promise<BuiltService> {
  const keyring = await loadKeyring(config.keys, 'notifier');
  const database = openDatabase(config, parts);
  const bus = await openBus(config, parts);
  const core = { database, bus, keyring, peers: createPeers({ bus, keyring, timeoutMs: peerTimeoutMs }) };
  const { webhooks, mails } = createEngines(core, config, parts);
  const sweeper = createSweeper({ database, tasks: [purgePayloads], logger: parts.logger });
  return {
    async start() {
      webhooks.start();
      mails.start();
      sweeper.start();
      parts.runner.own('webhooks', webhooks.stop);
      parts.runner.own('mails', mails.stop);
      parts.runner.own('sweeper', sweeper.stop);
      await serveOperators(core, parts, {
        database,
        nudgeDeliveries: webhooks.nudge,
        nudgeMessages: mails.nudge,
      });
      startJobs(core, parts, { webhooks, mails });
    },
  };
}

function createEngines(core: Core, config: NotifierConfig, { logger, metrics }: ServiceParts) {
  const { webhook, mail, baseUrl, timeZone } = config;
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
  const mails = createMails({ ...core, ...mail, baseUrl, timeZone, logger, onAttempt: counters.mailed });
  return { webhooks, mails };
}

async function serveOperators(
  { bus, keyring }: Core,
  { logger, metrics, runner }: ServiceParts,
  deps: NotifierDeps,
): Promise<void> {
  const callContext = createCallContext(keyring, logger, createCallMetrics(metrics));
  const served = await serveRouter(bus, {
    router: operatorRouter,
    subjectPrefix: 'ops.v1.notifier',
    queue: 'notifier',
    createContext: async (call) => ({ ...(await callContext(call)), ...deps }),
  });
  runner.own('operator router', () => served.stop());
}

function startJobs(
  { bus }: Core,
  { logger, runner }: ServiceParts,
  { webhooks, mails }: { webhooks: Webhooks; mails: Mails },
): void {
  const webhookJobs = consumeJobs({
    bus,
    consumer: consumers.webhookJobs,
    subject: 'jobs.webhook.deliver',
    slots: webhookJobSlots,
    work: ({ eventId }, traceparent) => webhooks.receive({ eventId, traceparent }),
    logger,
  });
  runner.own('webhook jobs', webhookJobs.stop);
  const mailJobs = consumeJobs({
    bus,
    consumer: consumers.mailJobs,
    subject: 'jobs.mail.send',
    slots: mailJobSlots,
    work: ({ messageId }) => mails.receive(messageId),
    logger,
  });
  runner.own('mail jobs', mailJobs.stop);
}
