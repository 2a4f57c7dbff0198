import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, spawnChild } from '../processes/child.ts';
import type { ProcessIdentity } from '../processes/identity.ts';
import { freePort, loopback } from '../processes/ports.ts';
import { type NatsUser, natsConfig } from './config.ts';

export {
  type BusPasswords,
  busAuthorization,
  busRights,
  certifiedBusAuthorization,
} from './authorization.ts';
export { locateNatsServer } from './binary.ts';
export { type NatsConfig, type NatsUser, natsConfig, type SubjectRules } from './config.ts';

export interface NatsOptions {
  /** Contains the configuration file and, in `jetstream`, the streams. */
  readonly directory: string;
  readonly binary: string;
  readonly logFile: string;
  /** Preferred port; if it is taken, a free one is used. */
  readonly port?: number;
  readonly serverName?: string;
  readonly users?: readonly NatsUser[];
  /** Further configuration, verbatim. */
  readonly extraConfig?: string;
}

export interface NatsServer {
  readonly port: number;
  /** `nats://127.0.0.1:<port>`, without credentials. */
  readonly url: string;
  pid(): number;
  identity(): ProcessIdentity;
  exited(): Promise<unknown>;
  /** Kills the process, by default with SIGKILL like a crash. Resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts again with the same port and store; first stops it if it runs. Resolves when it accepts clients. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const startAttempts = 5;

/** Starts a real nats-server with JetStream on loopback and resolves when it accepts clients. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  await mkdir(join(options.directory, 'jetstream'), { recursive: true });
  let port = await freePort(options.port);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const child = await launchReady(options, port);
      return controls({ child, port, options });
    } catch (error) {
      // Another process took the port between the check and the bind.
      if (attempt === startAttempts || !(error instanceof AddressTaken)) throw error;
      port = await freePort();
    }
  }
}

function controls(context: { child: Child; port: number; options: NatsOptions }): NatsServer {
  const { port, options } = context;
  let child = context.child;
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    child.signal(signal);
    await child.exited;
  };
  const stop = async () => void (await child.stop({ signal: 'SIGTERM', deadlineMs: 10_000 }));
  return {
    port,
    url: `nats://${loopback}:${port}`,
    pid: () => child.pid,
    identity: () => child.identity,
    exited: () => child.exited,
    kill,
    stop,
    async restart() {
      await stop();
      child = await launchReady(options, port);
    },
  };
}

class AddressTaken extends Error {}

async function launchReady(options: NatsOptions, port: number): Promise<Child> {
  const configFile = join(options.directory, 'nats-server.conf');
  const config = natsConfig({
    port,
    storeDirectory: join(options.directory, 'jetstream'),
    serverName: options.serverName ?? 'rubrica',
    users: options.users,
    extra: options.extraConfig,
  });
  await writeFile(configFile, config, { mode: 0o600 });
  const logStart = await readSize(options.logFile);
  const child = await spawnChild({
    command: options.binary,
    args: ['-c', configFile],
    cwd: options.directory,
    logFile: options.logFile,
    onParentDeath: 'SIGTERM',
  });
  const deadline = performance.now() + 30_000;
  while (child.exit() === undefined && performance.now() < deadline) {
    const id = await readServerId(port);
    if (id !== undefined && (await readLogSince(options, logStart)).includes(id)) return child;
    await delay(15);
  }
  await child.stop({ signal: 'SIGTERM', deadlineMs: 2_000 });
  const log = await readLogSince(options, logStart);
  if (log.includes('address already in use')) throw new AddressTaken(`port ${port} is taken`);
  throw new Error(`nats-server did not start. Its log (${options.logFile}):\n${log}`);
}

/**
 * Reads the id of the server on the port. It accepts clients only once JetStream has recovered its streams; then it
 * sends INFO first. Another server may have taken the port, so the caller compares the id with its own log.
 */
async function readServerId(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: loopback, port });
    const done = (id?: string) => {
      socket.destroy();
      resolve(id);
    };
    socket.setTimeout(1_000, () => done());
    socket.once('error', () => done());
    socket.once('data', (data) => done(/^INFO \{.*?"server_id":"(\w+)"/.exec(data.toString('latin1'))?.[1]));
    socket.once('close', () => done());
  });
}

async function readLogSince({ logFile }: NatsOptions, start: number): Promise<string> {
  return (await readFile(logFile)).subarray(start).toString('utf8');
}

async function readSize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
