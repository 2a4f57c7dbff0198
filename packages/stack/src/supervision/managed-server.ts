import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '@rubrica/testkit/processes';

/** PostgreSQL or nats-server, as returned by their start functions. */
export interface RestartableServer {
  identity(): ProcessIdentity;
  exited(): Promise<unknown>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ManagedServer {
  identity(): ProcessIdentity;
  /** Ends the server, by default with SIGKILL. It stays down until `restart`; an external death is repaired at once. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Restarts a server on its port and data when it dies unexpectedly. */
export function manageServer(server: RestartableServer, onChange: () => void): ManagedServer {
  let isHeldDown = false;
  let repairing: Promise<void> | undefined;
  const watch = (): void => {
    const present = server.identity();
    void server.exited().then(() => {
      if (isHeldDown || server.identity() !== present) return;
      repairing = repair().finally(() => {
        repairing = undefined;
      });
    });
  };
  const repair = async (): Promise<void> => {
    for (let attempt = 0; !isHeldDown; attempt += 1) {
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
    isHeldDown = true;
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
      isHeldDown = false;
      onChange();
      watch();
    },
    async stop() {
      await hold();
      await server.stop();
    },
  };
}
