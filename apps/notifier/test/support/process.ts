import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Bus,
  connectBus,
  createPublisher,
  ensureConsumers,
  ensureStreams,
  serveRouter,
} from '@rubrica/bus';
import { consumers, streams } from '@rubrica/contracts/messages/messages';
import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import type { Database } from '@rubrica/database/connection';
import { AppError } from '@rubrica/process/errors';
import { fakeSeals, scratchDirectory, type TestPostgres, testNats, testPostgres } from '@rubrica/testkit';
import { fakeHandlers, serveFake } from '@rubrica/testkit/fakes';
import { implement } from '@rubrica/wiring';
import { notifierSchema, openNotifierDatabase } from './database.ts';
import { type KeyFolder, keyFolder } from './keyrings.ts';
import { bundle, deliveredByAnother, makeEvent, webhookSecret } from './notifier.ts';
import { type SmsProvider, startSmsProvider } from './sms-provider.ts';
import { type SmtpServer, startSmtpServer } from './smtp-server.ts';
import { deliveryStatement, sha256 } from './statements.ts';

const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>;

/** Everything the service's process needs: PostgreSQL, NATS, a mail server, an SMS provider, and intake and generation in this process. */
export async function startSurroundings() {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await scratchDirectory('notifier'));
  const postgres: TestPostgres = stack.use(await testPostgres());
  const nats = stack.use(await testNats());
  const smtp: SmtpServer = stack.use(await startSmtpServer());
  const provider: SmsProvider = stack.use(await startSmsProvider());
  const keys: KeyFolder = stack.use(await keyFolder('notifier', 'intake', 'generation', 'gateway'));
  const service = await notifierSchema(postgres);
  const database = stack.use(openNotifierDatabase(service, await keys.keyring('notifier')));
  const seals = fakeSeals({
    intake: await keys.keyring('intake'),
    generation: await keys.keyring('generation'),
    gateway: await keys.keyring('gateway'),
  });
  const bus = stack.use(await connectBus({ servers: nats.url, name: 'peers', seals }));
  await ensureStreams(bus, streams);
  // A job whose worker died comes again after two seconds, not after thirty.
  await ensureConsumers(
    bus,
    Object.values(consumers).map((consumer) => ({ ...consumer, ackWaitMs: 2_000 })),
  );
  const peers = await playPeers(bus, { keys, database });
  const crashpoints = join(scratch.path, 'crashpoints');
  await mkdir(crashpoints);
  const publisher = createPublisher(bus);
  const env = {
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    MANAGEMENT_PORT: '0',
    NATS_URL: nats.url,
    NATS_USER: 'notifier',
    NATS_PASSWORD: 'none',
    NATS_API_PREFIX: '$JS.API',
    DATABASE_URL: service.appUrl,
    KEYS_FILE: keys.files('notifier').keysFile,
    PEERS_FILE: keys.files('notifier').peersFile,
    SANDBOX: 'true',
    BASE_URL: 'http://127.0.0.1:3000',
    SMTP_URL: smtp.url,
    SMS_URL: provider.url,
    SMS_TOKEN: 'sms-token',
    MAIL_FROM: 'no-reply@rubrica.example',
    CALLBACK_ALLOW_LOOPBACK: 'true',
    WEBHOOK_TIMEOUT_SECONDS: '1',
    CRASHPOINT_DIR: crashpoints,
  };
  const disposables = stack.move();
  return {
    ...peers,
    smtp,
    provider,
    nats,
    postgres,
    database,
    keys,
    /** ApplicantMessageQueues that can never be handled. */
    deadLetters: async () => (await (await bus.nc.jetstreamManager()).streams.info('DLQ')).state.messages,
    /** Jobs that nobody has done yet. */
    webhookJobs: async () =>
      (await (await bus.nc.jetstreamManager()).streams.info('JOBS_WEBHOOK')).state.messages,
    arm: (name: string) => writeFile(join(crashpoints, name), ''),
    start: (settings: Record<string, string> = {}) => startProcess({ ...env, ...settings }),
    publishEvent: (eventId: string, id = eventId) =>
      publisher.publish({
        subject: 'jobs.webhook.deliver',
        id,
        data: { eventId, type: 'certificate.issued' },
      }),
    publishMail: (messageId: string) =>
      publisher.publish({ subject: 'jobs.mail.send', id: messageId, data: { messageId } }),
    publishSms: (messageId: string) =>
      publisher.publish({ subject: 'jobs.sms.send', id: messageId, data: { messageId } }),
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

export type ServiceProcess = AsyncDisposable & {
  /** Resolves with the signal or exit code that ended it. */
  ended: Promise<string | number | null>;
  stop(): Promise<string | number | null>;
};

/** The service as it runs everywhere. */
function startProcess(env: Record<string, string>): ServiceProcess {
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<string | number | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  return {
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Intake and generation, as far as the notifier asks them, served over the bus with the contracts' schemas. */
async function playPeers(bus: Bus, { keys, database }: { keys: KeyFolder; database: Database }) {
  const events = new Map<string, eventsContract.WebhookEvent>();
  const messages = new Map<string, messagesContract.OutgoingMessage>();
  const keyring = await keys.keyring('intake');
  const seal = (data: string, binding: SealBinding) => keyring.sealTo('notifier', data, binding);
  const found = <T>(value: T | undefined): T => {
    if (value === undefined) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    return value;
  };
  const intake = implement(
    'intake',
    fakeHandlers({
      calls: {
        'events.get': ({ eventId }) => {
          const event = found(events.get(eventId));
          return { ...event, statement: deliveryStatement(event, { keyring, now: new Date() }) };
        },
        // Whatever the test has put among the deliveries is open.
        'events.signing': async ({ eventId }) => {
          const event = events.get(eventId) ?? (await deliveredByAnother(eventId, { seal, database }));
          const { sealedSecrets, url } = event;
          const statement = deliveryStatement({ ...event, eventId }, { keyring, now: new Date() });
          return { sealedSecrets, destinationSha256: sha256(url), statement };
        },
        'partners.contact': ({ partnerId }) => ({
          partnerId,
          name: 'Cooperativa Andina',
          email: 'soporte@andina.example',
          language: 'es',
        }),
        'partners.signing': async ({ partnerId: id }) => ({
          partnerId: id,
          envelope: false,
          sealedSecrets: [await seal(webhookSecret, { purpose: 'webhook-secret', owner: id })],
        }),
        'messages.get': ({ messageId }) => found(messages.get(messageId)),
      },
    }),
  );
  const at = '2026-11-20T10:00:00.000Z';
  const generation = implement(
    'generation',
    fakeHandlers({
      calls: {
        // The request's id is a grant here.
        'bundles.release': async ({ grant: requestId }) => ({
          requestId,
          serialNumber: '0A1B2C',
          notBefore: at,
          notAfter: at,
          sealed: await seal(JSON.stringify(bundle), { purpose: 'bundle', owner: requestId }),
        }),
      },
    }),
  );
  await serveFake(serveRouter, { service: 'intake', bus, keyring }, intake);
  await serveFake(
    serveRouter,
    { service: 'generation', bus, keyring: await keys.keyring('generation') },
    generation,
  );
  return {
    messages,
    seal,
    async addEvent(overrides: Partial<eventsContract.WebhookEvent>) {
      const event = await makeEvent(seal, overrides);
      events.set(event.eventId, event);
      return event.eventId;
    },
  };
}
