import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { serviceNames } from '../setup/services.ts';
import type { ServiceProcess } from './service-processes.ts';

export interface ServiceHandle {
  /** Of the copies running now, in order. */
  pids(): number[];
  /** Ends every copy, or one (from 0); the stack starts it again. SIGKILL by default. */
  kill(signal?: NodeJS.Signals, copy?: number): Promise<void>;
  /** Resolves when every copy answers as ready; 60 s unless told. */
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
