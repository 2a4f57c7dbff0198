import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { locateNatsServer, type NatsUser, startNats } from './nats/index.ts';
import { binDirectory, scratchDirectory } from './scratch.ts';

export interface TestNats extends AsyncDisposable {
  readonly port: number;
  /** `nats://127.0.0.1:<port>`, without credentials. */
  readonly url: string;
  pid(): number;
  /** Kills the server, by default with SIGKILL like a crash. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts again with the same port and JetStream store. */
  restart(): Promise<void>;
  /** Stops the server and copies its streams, for `store` of others. */
  leaveStore(folder: string): Promise<void>;
}

/**
 * Starts a real nats-server with JetStream in its own folder, which ends with the test. Each file has its own server,
 * which starts in a tenth of a second. Accounts on a shared one would save nothing and separate files less. Without
 * `users` every client may do everything; with them, each is limited to its lists.
 */
export async function testNats(
  options: {
    users?: readonly NatsUser[];
    extraConfig?: string;
    /** Initial streams: a copy from `leaveStore`. */
    store?: string | undefined;
  } = {},
): Promise<TestNats> {
  const { store, ...rest } = options;
  const scratch = await scratchDirectory('nats');
  const streams = join(scratch.path, 'jetstream');
  if (store !== undefined) await cp(store, streams, { recursive: true });
  const server = await startNats({
    ...rest,
    directory: scratch.path,
    binary: await locateNatsServer({ binDirectory }),
    logFile: join(scratch.path, 'nats.log'),
  });
  return {
    port: server.port,
    url: server.url,
    pid: server.pid,
    kill: server.kill,
    restart: server.restart,
    async leaveStore(folder) {
      await server.stop();
      await cp(streams, folder, { recursive: true });
    },
    async [Symbol.asyncDispose]() {
      await server.kill();
      await scratch[Symbol.asyncDispose]();
    },
  };
}
