import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { serviceNames } from '../setup/services.ts';
import type { ServiceProcess } from './service-processes.ts';

export interface ServiceHandle {
  /** Lists the process ids of the running copies, in order. */
  pids(): number[];
  /** Ends every copy, or one (from 0); the stack restarts it. Default: SIGKILL. */
  kill(signal?: NodeJS.Signals, copy?: number): Promise<void>;
  /** Resolves when every copy reports that it is ready. Default deadline: 60 s. */
  ready(deadlineMs?: number): Promise<void>;
}

export function serviceHandles(services: readonly ServiceProcess[]): Record<ServiceName, ServiceHandle> {
  const entries = serviceNames.map((name) => {
    const copies = services.filter(({ service }) => service === name);
    return [name, serviceHandle(name, copies)] as const;
  });
  return Object.fromEntries(entries) as Record<ServiceName, ServiceHandle>;
}

function serviceHandle(name: string, copies: readonly ServiceProcess[]): ServiceHandle {
  return {
    pids: () => copies.flatMap((copy) => copy.identity()?.pid ?? []),
    async kill(signal, copy) {
      const targets = copy === undefined ? copies : copies.slice(copy, copy + 1);
      await Promise.all(targets.map((target) => target.kill(signal)));
    },
    async ready(deadlineMs = 60_000) {
      const deadline = performance.now() + deadlineMs;
      while (!copies.every((copy) => copy.isReady())) {
        if (performance.now() > deadline) throw new Error(`${name} was not ready within ${deadlineMs} ms`);
        await delay(20);
      }
    },
  };
}
