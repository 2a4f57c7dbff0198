import { docsSiteFolder } from '@rubrica/build';
import { freePorts } from '@rubrica/testkit/processes';
import type { Home } from '../setup/home.ts';
import { ensureKeys } from '../setup/keys.ts';
import type { StackSettings } from '../setup/settings.ts';
import { makeTransport, type Transport } from '../setup/transport.ts';
import type { ManagedProcess } from '../supervision/managed-process.ts';
import type { EnvironmentContext } from './environment.ts';
import { isBuiltElsewhere, type StackOptions } from './options.ts';
import type { Recorder } from './recorder.ts';
import {
  type DatabaseServer,
  externalNats,
  type MessageServer,
  startDatabase,
  startMessageServer,
} from './servers.ts';
import { startMailCatcher } from './service-processes.ts';

/** Servers and settings that the services depend on. */
export interface Base {
  readonly environment: EnvironmentContext;
  readonly database: DatabaseServer;
  readonly messages: MessageServer;
  readonly mail: ManagedProcess;
  readonly mailUrl: string;
  readonly firstManagementPort: number;
}

interface BaseContext {
  readonly options: StackOptions;
  readonly home: Home;
  readonly settings: StackSettings;
  readonly recorder: Recorder;
  readonly undo: AsyncDisposableStack;
}

interface ServerContext extends BaseContext {
  readonly transport: Transport | undefined;
}

const defaultPort = 3000;

/** Starts PostgreSQL, nats-server and the mail catcher and makes the keys, in parallel. */
export async function startBase(context: BaseContext): Promise<Base> {
  const { options, home, settings, recorder, undo } = context;
  const port = options.port ?? portFrom(process.env.PORT) ?? defaultPort;
  const preferredPorts = [port, port + 10, port + 25, port + 26, port + 42, port + 54];
  const ports = (await freePorts(preferredPorts)) as [number, number, number, number, number, number];
  const [gatewayPort, consolePort, mailHttpPort, mailSmtpPort, natsPort, postgresPort] = ports;
  const transport = options.tls ? await makeTransport(home.transport) : undefined;
  const [database, messages] = await settleAll([
    startDatabaseStep({ ...context, transport }, postgresPort),
    startMessagesStep({ ...context, transport }, natsPort),
    makeKeys(context),
  ]);
  const environment: EnvironmentContext = {
    home,
    settings,
    crashpoints: options.crashpoints ?? true,
    limits: options.limits ?? false,
    busTlsDirectory: messages.managed === undefined ? undefined : transport?.busDirectory,
    docsSite: isBuiltElsewhere(options) ? undefined : docsSiteFolder(),
    overrides: options.env ?? {},
    externalNats: messages.managed === undefined,
    addresses: {
      gatewayPort,
      consolePort,
      mailHttpPort,
      mailSmtpPort,
      natsUrl: messages.url,
      databaseUrl: (user, password) => database.url({ user, password, database: 'rubrica' }),
    },
  };
  const mail = startMailCatcher({ environment, onChange: recorder.changed });
  recorder.track('mail', mail.identity);
  undo.defer(() => mail.stop(3_000));
  const mailUrl = `http://127.0.0.1:${mailHttpPort}`;
  return { environment, database, messages, mail, mailUrl, firstManagementPort: port + 100 };
}

function portFrom(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_000) return port;
  throw new RangeError(`PORT must be a whole number from 1 to 65000; got "${text}".`);
}

async function startDatabaseStep(context: ServerContext, port: number): Promise<DatabaseServer> {
  const { options, home, settings, transport, recorder, undo } = context;
  options.onProgress?.({ step: 'postgres', state: 'begin', text: 'PostgreSQL' });
  const database = await startDatabase({ home, settings, port, transport, onChange: recorder.changed });
  undo.defer(database.stop);
  recorder.track('postgres', database.identity);
  options.onProgress?.({ step: 'postgres', state: 'done', text: 'PostgreSQL' });
  return database;
}

async function startMessagesStep(context: ServerContext, port: number): Promise<MessageServer> {
  const { options, home, settings, transport, recorder, undo } = context;
  const external = options.env?.NATS_URL ?? process.env.NATS_URL;
  if (external) return externalNats(external);
  options.onProgress?.({ step: 'nats', state: 'begin', text: 'nats-server' });
  const messages = await startMessageServer({
    home,
    settings,
    port,
    transport,
    onChange: recorder.changed,
    onProgress: (text) => options.onProgress?.({ step: 'nats', state: 'detail', text }),
  });
  const { managed } = messages;
  if (managed !== undefined) {
    undo.defer(managed.stop);
    recorder.track('nats', managed.identity);
  }
  options.onProgress?.({ step: 'nats', state: 'done', text: 'nats-server' });
  return messages;
}

async function makeKeys({ options, home }: BaseContext): Promise<void> {
  options.onProgress?.({ step: 'keys', state: 'begin', text: 'keys of the services' });
  await ensureKeys(home);
  options.onProgress?.({ step: 'keys', state: 'done', text: 'keys of the services' });
}

/** Awaits all work before it throws, unlike `Promise.all`: all that was started must be known before it is undone. */
export async function settleAll<const T extends readonly Promise<unknown>[]>(work: T) {
  await Promise.allSettled(work);
  return Promise.all(work);
}
