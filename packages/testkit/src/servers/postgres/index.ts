import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Child, spawnChild } from '../processes/child.ts';
import type { ProcessIdentity } from '../processes/identity.ts';
import { freePort, loopback } from '../processes/ports.ts';
import { postgresAccount } from './account.ts';
import { locateBinaries } from './binaries.ts';
import { clearStaleServer, ensureCluster, postgresEnvironment, superuser } from './cluster.ts';
import { type PostgresTls, tlsSettings } from './transport.ts';

export { type Account, postgresAccount } from './account.ts';
export { type Binaries, locateBinaries, sharedDirectory } from './binaries.ts';
export { ensureCluster, superuser } from './cluster.ts';
export {
  appRole,
  type ConnectionLimits,
  ensureDatabase,
  ensureServiceRoles,
  ownerRole,
  type ServiceRoles,
  withClient,
} from './roles.ts';
export type { PostgresTls } from './transport.ts';

export interface PostgresOptions {
  /** Created if absent. For root it must be a folder that the `postgres` user can enter: see `sharedDirectory`. */
  readonly dataDirectory: string;
  readonly logFile: string;
  /** The superuser's password; set with the data directory, and required unchanged afterwards. */
  readonly password: string;
  /** Preferred port; if it is taken, a free one is used. */
  readonly port?: number;
  /** Server settings such as `{ fsync: 'off' }`, which override those of the data directory. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly tls?: PostgresTls | undefined;
}

export interface PostgresServer {
  readonly port: number;
  /** URL of the database `postgres`, as superuser. */
  readonly superuserUrl: string;
  pid(): number;
  identity(): ProcessIdentity;
  /** Settles when the current server process ends, for any reason. */
  exited(): Promise<unknown>;
  url(options: { user: string; password: string; database: string }): string;
  /** Kills the server, by default with SIGKILL like a crash. Resolves when the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts again with the same port and data; first stops it if it runs. Resolves when it answers. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const startAttempts = 5;

/** Starts a real PostgreSQL on loopback and resolves when it answers queries. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = await postgresAccount();
  const binaries = await locateBinaries({ copyForOtherUser: account !== undefined });
  await ensureCluster({ ...options, binaries, account });
  await clearStaleServer(options.dataDirectory);
  const { tls, dataDirectory } = options;
  const encryption = tls === undefined ? {} : await tlsSettings(dataDirectory, tls, account);
  const launch = (port: number) =>
    spawnChild({
      command: binaries.postgres,
      args: serverArguments({ ...options, settings: { ...encryption, ...options.settings } }, port),
      env: postgresEnvironment(),
      cwd: options.dataDirectory,
      logFile: options.logFile,
      account,
      onParentDeath: 'SIGINT',
    });
  let port = await freePort(options.port);
  let child: Child | undefined;
  for (let attempt = 1; child === undefined; attempt += 1) {
    try {
      child = await launchReady({ launch, port, options });
    } catch (error) {
      // Another process took the port between the check and the bind.
      if (attempt === startAttempts || !(error instanceof AddressTaken)) throw error;
      port = await freePort();
    }
  }
  return controls({ child, port, options, launch });
}

function controls(context: {
  child: Child;
  port: number;
  options: PostgresOptions;
  launch(port: number): Promise<Child>;
}): PostgresServer {
  const { port, options, launch } = context;
  let child = context.child;
  const url = (parts: { user: string; password: string; database: string }) =>
    `postgres://${parts.user}:${encodeURIComponent(parts.password)}@${loopback}:${port}/${parts.database}`;
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    child.signal(signal);
    await child.exited;
  };
  // SIGINT is PostgreSQL's fast shutdown: clients are disconnected, data is checkpointed.
  const stop = async () => void (await child.stop({ signal: 'SIGINT', deadlineMs: 15_000 }));
  return {
    port,
    superuserUrl: url({ user: superuser, password: options.password, database: 'postgres' }),
    pid: () => child.pid,
    identity: () => child.identity,
    exited: () => child.exited,
    url,
    kill,
    stop,
    async restart() {
      await stop();
      child = await launchReady({ launch, port, options });
    },
  };
}

function serverArguments(options: PostgresOptions, port: number): string[] {
  const settings: Record<string, string> = {
    listen_addresses: loopback,
    // A socket file would need a folder that both this user and PostgreSQL's may write, with a short path.
    unix_socket_directories: '',
    // Containers often give 64 MB of /dev/shm, less than parallel queries need.
    dynamic_shared_memory_type: 'mmap',
    max_parallel_workers_per_gather: '0',
    max_connections: '200',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...options.settings,
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', options.dataDirectory, '-p', String(port), ...pairs];
}

class AddressTaken extends Error {}

/** Retries shortly after a crash: the backends outlive their server for a moment and hold its shared memory. */
async function launchReady(context: {
  launch(port: number): Promise<Child>;
  port: number;
  options: PostgresOptions;
}): Promise<Child> {
  const { launch, port, options } = context;
  const deadline = performance.now() + 60_000;
  for (;;) {
    const logStart = await readSize(options.logFile);
    const child = await launch(port);
    const outcome = await waitUntilReady({ child, port, options, deadline });
    if (outcome === 'ready') return child;
    const log = (await readFile(options.logFile, 'utf8')).slice(logStart);
    if (log.includes('could not bind')) throw new AddressTaken(`port ${port} is taken`);
    const crashedBackends = log.includes('is still in use') && performance.now() < deadline;
    if (!crashedBackends) throw new Error(`PostgreSQL did not start. Its log (${options.logFile}):\n${log}`);
    await delay(100);
  }
}

async function waitUntilReady(context: {
  child: Child;
  port: number;
  options: PostgresOptions;
  deadline: number;
}): Promise<'ready' | 'ended'> {
  const { child, port, options, deadline } = context;
  while (child.exit() === undefined) {
    const client = new pg.Client({
      host: loopback,
      port,
      user: superuser,
      password: options.password,
      database: 'postgres',
      ...readinessTls(options),
      connectionTimeoutMillis: 5_000,
    });
    // A connection refused or cut while the server recovers is expected, not a fault.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return 'ready';
    } catch (error) {
      await client.end().catch(() => undefined);
      if ((error as { code?: string }).code === '28P01') {
        await child.stop({ signal: 'SIGINT', deadlineMs: 5_000 });
        throw new Error('PostgreSQL refused the stored password: its data belong to another set-up.', {
          cause: error,
        });
      }
    }
    if (performance.now() > deadline) {
      await child.stop({ signal: 'SIGQUIT', deadlineMs: 2_000 });
      return 'ended';
    }
    await delay(20);
  }
  return 'ended';
}

async function readSize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Skips the check of the name, because the server is a child of this process. */
function readinessTls({ tls }: PostgresOptions) {
  return tls === undefined ? {} : { ssl: { ca: tls.authority, checkServerIdentity: () => undefined } };
}
