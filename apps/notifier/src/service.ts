import { startAuditChain } from '@rubrica/audit/chain';
import type { Bus } from '@rubrica/bus';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { createSweeper, type Sweeper } from '@rubrica/database/sweeper';
import { type Keyring, openKeyring } from '@rubrica/process/keyring';
import { metric } from '@rubrica/process/metrics';
import { readNetworks } from '@rubrica/process/networks';
import type { BuiltService, ServiceParts } from '@rubrica/process/runner';
import { createCallTokenVerifier } from '@rubrica/process/tokens';
import { createPeers, openBus, openStreams, type Peers, serveRouters } from '@rubrica/wiring';
import {
  assertSandbox,
  exposeDueRows,
  openDatabase,
  openRowGuard,
  startRowCheck,
} from '@rubrica/wiring/database';

import { startMessageJobs } from './applicant-messages/message-jobs.ts';
import { codeConnections, createApplicantMessageQueues } from './applicant-messages/message-queues.ts';
import type { NotifierConfig } from './config.ts';
import type { NotifierDeps } from './context.ts';
import { createDeliveryMetrics } from './deliveries/delivery-metrics.ts';
import { createDeliveryQueue, type DeliveryQueue } from './deliveries/delivery-queue.ts';
import { countDays } from './deliveries/levels/count-days.ts';
import { startWebhookJobs } from './deliveries/webhook-jobs.ts';
import { createNoticeQueue } from './destination-notices/notice-queue.ts';
import { sendPing } from './destinations/send-ping.ts';
import { stopDeliveries } from './destinations/stop-deliveries.ts';
import { createDialer, type Dialer } from './dialer/dialer.ts';
import { readDkim } from './mail/dkim.ts';
import { createSmtpTransport, type MailTransport } from './mail/smtp.ts';
import { purgePayloads } from './retention/purge-payloads.ts';
import { startReportingPurged } from './retention/report-purged-loop.ts';
import { createRouters } from './router.ts';
import { webhookSchedule } from './send-queue/retry-schedule.ts';
import { createHttpSms } from './sms/http-sms.ts';
import { noSmsSender, type SmsSender } from './sms/sms-sender.ts';
import { auditLog } from './store/audit-log.ts';
import { dueQueues } from './store/due-rows.ts';
import { guardedTables } from './store/guarded-tables.ts';
import { entities, schema } from './store/schema.ts';

const peerTimeoutMs = 5_000;

interface Core extends Pick<Peers<'notifier'>, 'intake' | 'generation'> {
  readonly database: Database;
  readonly bus: Bus;
  readonly keyring: Keyring;
  readonly rows: RowGuard;
}

/**
 * Wires the service. Resources close in reverse order: jobs and calls end before the queues, which finish their
 * attempts, before the bus and the database.
 */
export async function buildService(config: NotifierConfig, parts: ServiceParts): Promise<BuiltService> {
  const clock = parts.clock.bestKnown;
  const keyring = await openKeyring(config.keys, 'notifier', parts);
  const audit = { table: auditLog.table, keys: keyring };
  const database = openDatabase({ ...config.database, schema, entities, audit }, parts);
  const bus = await openBus('notifier', { ...config, keyring }, parts);
  const streams = await openStreams('notifier', config.nats, parts);
  const peers = createPeers({ self: 'notifier', bus, timeoutMs: peerTimeoutMs });
  const rows = openRowGuard({ keyring, tables: guardedTables }, parts);
  const core = { ...peers, database, bus, keyring, rows };
  const channels = await openChannels(config, parts);
  const sweeper = createSweeper({
    database,
    tasks: [purgePayloads, stopDeliveries, countDays(clock, config.timeZone)],
    logger: parts.logger,
  });
  const queues = createQueues({ ...core, ...channels }, config, { ...parts, sweeper });
  const { deliveries, applicantMessages, notices } = queues;
  const deps: NotifierDeps = {
    database,
    keyring,
    rows,
    intake: peers.intake,
    dialer: channels.dialer,
    nudgeDeliveries: deliveries.nudge,
    nudgeMessages: applicantMessages.nudge,
    nudgeNotices: notices.nudge,
    timeZone: config.timeZone,
    clock,
    ping: (call) => sendPing(call, { ...core, ...channels, timeZone: config.timeZone, clock }),
  };
  return {
    async start() {
      await parts.clock.measured();
      await assertSandbox({ database, sandbox: config.sandbox }, parts);
      exposeDueRows(database, { metrics: parts.metrics, queues: dueQueues });
      for (const [name, part] of Object.entries({ ...queues, sweeper })) {
        part.start();
        parts.runner.own(name, part.stop);
      }
      startAuditChain({ database, table: auditLog.table, keyring, clock, rows }, parts);
      startRowCheck({ database, keyring, rows, tables: guardedTables }, parts);
      const reporting = startReportingPurged({ ...core, logger: parts.logger });
      parts.runner.own('telling generation', reporting.stop);
      const identify = createCallTokenVerifier({ keyring, self: 'notifier', nowMs: parts.clock.nowMs });
      await serveRouters({ name: 'notifier', bus, identify, routers: createRouters(deps) }, parts);
      startWebhookJobs({ streams, deliveries }, parts);
      startMessageJobs({ streams, applicantMessages }, parts);
    },
  };
}

function createQueues(
  core: Core & Channels,
  config: NotifierConfig,
  { logger, metrics, sweeper, clock }: ServiceParts & { sweeper: Sweeper },
) {
  const { webhook, mail, sms, baseUrl, timeZone } = config;
  const common = { ...core, timeZone, clock: clock.bestKnown, logger };
  const noticeAttempts = metrics.counter(metric('rubrica_notice_attempts_total'));
  const messageAttempts = metrics.counter(metric('rubrica_message_attempts_total'));
  const counters = createDeliveryMetrics(metrics, {
    inHand: () => deliveries.inHand(),
    resting: () => deliveries.resting(),
  });
  if (webhook.deliveryStatements === 'accepted')
    logger.warn({ reason: 'DELIVERY_STATEMENTS=accepted' }, 'unsigned delivery grants accepted');
  const deliveries: DeliveryQueue = createDeliveryQueue({
    ...common,
    limits: { total: webhook.concurrency, perDestination: webhook.concurrencyPerDestination },
    schedule: webhookSchedule,
    deliveryStatements: webhook.deliveryStatements,
    onAttempt: counters.attempted,
    onNotGranted(deliveryId, err) {
      core.rows.reportFailed({ table: 'delivery', id: deliveryId });
      logger.error({ err, deliveryId }, 'unsigned webhook postponed');
    },
    disableAfterHours: webhook.disableAfterHours,
    alertsOperator: webhook.operatorAlertEmail !== undefined,
    onDisabled(destination) {
      logger.warn(destination, 'destination disabled after days of failures');
      counters.disabled();
      notices.nudge();
      // Deliveries to it are stopped now instead of at the next run, or they would be retried until then.
      void sweeper.sweep();
    },
  });
  const notices = createNoticeQueue({
    ...common,
    from: mail.from,
    transport: core.letters,
    operatorAlertEmail: webhook.operatorAlertEmail,
    onAttempt: ({ kind, outcome }) => noticeAttempts.inc({ kind, outcome }),
  });
  const applicantMessages = createApplicantMessageQueues({
    ...common,
    mail: {
      from: mail.from,
      concurrency: mail.concurrency,
      transport: core.letters,
      codeTransport: core.codes,
    },
    sms: { sender: core.sms, concurrency: sms.concurrency },
    baseUrl,
    onAttempt: ({ outcome }, channel) => messageAttempts.inc({ channel, outcome }),
  });
  return { deliveries, applicantMessages, notices };
}

/** Outgoing channels of this service: partners' receivers, the mail server and the SMS provider. */
interface Channels {
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
async function openChannels(config: NotifierConfig, parts: ServiceParts): Promise<Channels> {
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
