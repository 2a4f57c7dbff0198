import { join } from 'node:path';
import { locateNatsServer, type NatsUser, startNats } from './nats/index.ts';
import { binDirectory, scratchDirectory } from './scratch.ts';

export interface TestNats extends AsyncDisposable {
  readonly port: number;
  /** `nats://127.0.0.1:<port>`, without credentials. */
  readonly url: string;
  pid(): number;
  /** SIGKILL by default: a crash. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** On the same port and JetStream store. */
  restart(): Promise<void>;
}

/**
 * A real nats-server with JetStream in a folder of its own, gone with the test.
 * Without `users` anyone may do anything; with them, each is held to its lists.
 */
export async function testNats(
  options: { users?: readonly NatsUser[]; extraConfig?: string } = {},
): Promise<TestNats> {
  const scratch = await scratchDirectory('nats');
  const server = await startNats({
    ...options,
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
    async [Symbol.asyncDispose]() {
      await server.kill();
      await scratch[Symbol.asyncDispose]();
    },
  };
}
