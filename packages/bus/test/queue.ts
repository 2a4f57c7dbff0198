import {
  type Bus,
  type ConsumeOptions,
  consume,
  createPublisher,
  ensureConsumers,
  ensureStreams,
} from '../src/index.ts';
import { eventually } from './support.ts';

export interface Job {
  n: number;
}

export const parseJob = (json: unknown): Job => {
  const { n } = json as Job;
  if (typeof n !== 'number') throw new TypeError('n must be a number');
  return { n };
};

/** A queue of its own and a way to work on it. */
export async function queue(bus: Bus, name: string, ackWaitMs = 30_000) {
  await eventually(() => bus.isConnected(), 'connected');
  const subjects = [`jobs.${name}`];
  const stream = { retention: 'workqueue', discard: 'new', maxAgeMs: 0, maxBytes: 1e7 } as const;
  await ensureStreams(bus, [{ name, subjects, duplicateWindowMs: 600_000, ...stream }]);
  const consumer = { stream: name, durable: 'worker', ackWaitMs, maxDeliver: -1, maxAckPending: 1_000 };
  await ensureConsumers(bus, [consumer]);
  const manager = await bus.nc.jetstreamManager();
  const publisher = createPublisher(bus);
  const errors: string[] = [];
  return {
    errors,
    publish: (n: unknown, id = String(n)) =>
      publisher.publish({ subject: `jobs.${name}`, id, data: { n } as object }),
    state: () => manager.consumers.info(name, 'worker'),
    left: async () => (await manager.streams.info(name)).state.messages,
    work: (options: Partial<ConsumeOptions<Job>> & Pick<ConsumeOptions<Job>, 'handle'>, on = bus) =>
      consume<Job>(on, {
        stream: name,
        durable: 'worker',
        slots: 4,
        ackWaitMs,
        parse: parseJob,
        onInvalid: () => undefined,
        onError: (error) => errors.push(error.message),
        retryDelayMs: () => 10,
        ...options,
      }),
  };
}

/** A handler that runs until the test lets it go. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: resolve, wait: () => promise };
}
