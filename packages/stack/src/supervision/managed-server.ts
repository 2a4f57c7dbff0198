import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '@rubrica/testkit/processes';

/** PostgreSQL or nats-server, as their start functions give them. */
export interface RestartableServer {
  identity(): ProcessIdentity;
  exited(): Promise<unknown>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ManagedServer {
  identity(): ProcessIdentity;
  /** SIGKILL by default. Stays down until `restart`, unlike a death from outside, which is repaired at once. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Brings a server back on its port and data when it dies without being asked to. */
export function manageServer(server: RestartableServer, onChange: () => void): ManagedServer {
  let held = false;
  let repairing: Promise<void> | undefined;
  const watch = (): void => {
    const present = server.identity();
    void server.exited().then(() => {
      if (held || server.identity() !== present) return;
      repairing = repair().finally(() => {
        repairing = undefined;
      });
    });
  };
  const repair = async (): Promise<void> => {
    for (let attempt = 0; !held; attempt += 1) {
      try {
        await server.restart();
        onChange();
        return watch();
      } catch {
        await delay(Math.min(200 * 2 ** attempt, 10_000));
      }
    }
  };
  const hold = async (): Promise<void> => {
    held = true;
    await repairing;
  };
  watch();
  return {
    identity: server.identity,
    async kill(signal) {
      await hold();
      await server.kill(signal);
    },
    async restart() {
      await hold();
      await server.restart();
      held = false;
      onChange();
      watch();
    },
    async stop() {
      await hold();
      await server.stop();
    },
  };
}
