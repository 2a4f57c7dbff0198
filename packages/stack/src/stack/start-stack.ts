import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { builtServices } from '@rubrica/build';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { defaultHome, homeAt, makeHome } from '../setup/home.ts';
import { parseCopies, type ServiceFolders, serviceNames } from '../setup/services.ts';
import { loadSettings, type StackSettings } from '../setup/settings.ts';
import type { ManagedServer } from '../supervision/managed-server.ts';
import { endLeftovers, takeLock } from '../supervision/run-record.ts';
import { type AuthorityNames, readAuthorityNames } from './authority-names.ts';
import { type Base, settleAll, startBase } from './base.ts';
import { assertReadable } from './data-version.ts';
import { baseUrl, consoleUrl } from './environment.ts';
import { builtApps, type StackOptions } from './options.ts';
import { isProvisioned, type ProvisionContext, provision } from './provision.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { type ServiceHandle, serviceHandles } from './service-handle.ts';
import { type ServiceProcess, startConsole, startServices } from './service-processes.ts';
import { describeStack, type StackInfo } from './stack-info.ts';

export interface Stack extends AsyncDisposable {
  readonly home: string;
  /** Returns the current content of `stack.json`: pids change when services restart. */
  info(): StackInfo;
  readonly services: Readonly<Record<ServiceName, ServiceHandle>>;
  readonly postgres: ServerHandle;
  /** Undefined if NATS_URL names a server that another program runs. */
  readonly nats: ServerHandle | undefined;
  /** Folder of crash points: a file created here arms the crash point of its name. */
  readonly crashpointDir: string;
  /** Stops the services, then the servers that they depend on. Resolves when every process is gone. */
  stop(): Promise<void>;
}

export interface ServerHandle {
  pid(): number;
  /**
   * Ends the server, by default with SIGKILL. It stays down until `restart`; after an external death the stack restarts
   * it.
   */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Restarts the server with its port and data. */
  restart(): Promise<void>;
}

/** Longer than the services' own SHUTDOWN_TIMEOUT_SECONDS. */
const serviceStopMs = 12_000;

/**
 * Starts PostgreSQL, nats-server, the mail catcher, the five services and the console as processes on loopback.
 * Resolves when all are ready and `stack.json` is written. On `AlreadyRunning`, `MissingPiece` or `StartFailure` it
 * first ends all that it had started.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const home = homeAt(options.home ?? defaultHome(process.env));
  await makeHome(home);
  await using undo = new AsyncDisposableStack();
  const lock = await takeLock(home);
  undo.defer(lock.release);
  await rm(home.infoFile, { force: true });
  await disarmCrashpoints(home.crashpoints);
  await endLeftovers(home);
  const settings = await loadSettings(home.settingsFile);
  assertReadable(home, settings);
  const recorder = createRecorder(home);
  undo.defer(recorder.close);
  const [base, folders] = await settleAll([
    startBase({ options, home, settings, recorder, undo }),
    serviceFolders(options),
  ]);
  const services = await startApplications({ options, folders, base, recorder, undo });
  const authorities = await readAuthorityNames(home.certificationAuthority);
  const info = () => describeRunning({ base, services, settings, authorities });
  recorder.describeWith(() => (services.every((copy) => copy.isReady()) ? info() : undefined));
  await recorder.flush();
  const resources = undo.move();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= resources.disposeAsync();
    return stopped;
  };
  return {
    home: home.directory,
    info,
    services: serviceHandles(services),
    postgres: serverHandle(base.database),
    nats: base.messages.managed === undefined ? undefined : serverHandle(base.messages.managed),
    crashpointDir: home.crashpoints,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Removes armed points: one armed in an earlier run would end a service of this one. */
async function disarmCrashpoints(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
}

async function startApplications(context: {
  options: StackOptions;
  folders: ServiceFolders;
  base: Base;
  recorder: Recorder;
  undo: AsyncDisposableStack;
}): Promise<ServiceProcess[]> {
  const { options, folders, base, recorder, undo } = context;
  await provisionWhereNeeded(options, base, folders);
  options.onProgress?.({ step: 'services', state: 'begin', text: 'services' });
  const services = startServices({
    environment: base.environment,
    folders,
    copies: { ...parseCopies(undefined), ...options.copies },
    firstManagementPort: base.firstManagementPort,
    onChange: recorder.changed,
  });
  for (const copy of services) recorder.track(copy.name, copy.identity);
  undo.defer(() => stopServices(services));
  const pages = startConsole({
    environment: base.environment,
    folders,
    preferredPort: base.firstManagementPort + 50,
    onChange: recorder.changed,
  });
  recorder.track('console', pages.identity);
  undo.defer(() => pages.stop(serviceStopMs));
  let readyCount = 0;
  const announce = ({ name }: ServiceProcess) => {
    readyCount += 1;
    const text = `${name} ready (${readyCount} of ${services.length})`;
    options.onProgress?.({ step: 'services', state: 'detail', text });
  };
  await Promise.all(services.map(async (copy) => copy.ready.then(() => announce(copy))));
  await Promise.all([base.mail.ready, pages.ready]);
  options.onProgress?.({ step: 'services', state: 'done', text: 'services' });
  return services;
}

async function serviceFolders(options: StackOptions): Promise<ServiceFolders> {
  if (options.folders !== undefined) return options.folders;
  const apps = builtApps(options);
  if (apps !== undefined) {
    const names = [...serviceNames, 'console'];
    return Object.fromEntries(names.map((name) => [name, join(apps, name)])) as ServiceFolders;
  }
  const step = { step: 'build', text: 'services built' } as const;
  let isBuilding = false;
  const onBuild = () => {
    isBuilding = true;
    options.onProgress?.({ ...step, state: 'begin' });
  };
  const folders = await builtServices({ onBuild });
  if (isBuilding) options.onProgress?.({ ...step, state: 'done' });
  return folders;
}

async function provisionWhereNeeded(
  options: StackOptions,
  base: Base,
  folders: ServiceFolders,
): Promise<void> {
  const context: ProvisionContext = {
    environment: base.environment,
    superuserUrl: base.database.superuserUrl,
    databaseUrl: base.database.databaseUrl,
    folders,
    onDetail: (text) => options.onProgress?.({ step: 'provision', state: 'detail', text }),
  };
  const emptyServer = base.database.fresh || base.messages.fresh;
  if (!emptyServer && (await isProvisioned(context))) return;
  options.onProgress?.({ step: 'provision', state: 'begin', text: 'schemas, streams and first rows' });
  await provision(context);
  options.onProgress?.({ step: 'provision', state: 'done', text: 'schemas, streams and first rows' });
}

/** Stops the gateway first, so that no call arrives while the others finish theirs. */
async function stopServices(services: readonly ServiceProcess[]): Promise<void> {
  const isGateway = ({ service }: ServiceProcess) => service === 'gateway';
  await Promise.all(services.filter(isGateway).map((copy) => copy.stop(serviceStopMs)));
  await Promise.all(services.filter((copy) => !isGateway(copy)).map((copy) => copy.stop(serviceStopMs)));
}

function describeRunning(context: {
  base: Base;
  services: readonly ServiceProcess[];
  settings: StackSettings;
  authorities: AuthorityNames;
}): StackInfo {
  const { base, services, settings, authorities } = context;
  return describeStack({
    baseUrl: baseUrl(base.environment.addresses),
    consoleUrl: consoleUrl(base.environment.addresses),
    mailUrl: base.mailUrl,
    natsUrl: base.messages.operatorUrl,
    databaseUrl: base.database.databaseUrl,
    settings,
    authorities,
    copies: services.flatMap((copy) => {
      const pid = copy.identity()?.pid;
      return pid === undefined ? [] : [{ service: copy.service, pid, managementPort: copy.managementPort() }];
    }),
  });
}

function serverHandle(server: ManagedServer): ServerHandle {
  return { pid: () => server.identity().pid, kill: server.kill, restart: server.restart };
}
