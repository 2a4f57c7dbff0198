import type { Msg } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { flush } from '../connection/flush.ts';
import { assertSubject } from '../wire/subjects.ts';
import { ackBody, type Delivery, type Incoming, readDelivery, readJson } from './incoming.ts';
import { createPuller } from './puller.ts';

export type Outcome =
  | { readonly outcome: 'ack' }
  /** Deliver again, not before `delayMs`; by default the delay grows with the deliveries. */
  | { readonly outcome: 'nak'; readonly delayMs?: number }
  /** Never deliver again. */
  | { readonly outcome: 'term' };

export interface ConsumeOptions<T> {
  readonly stream: string;
  readonly durable: string;
  /** Number of messages that this copy handles at once. */
  readonly slots: number | (() => number);
  /** Value of the consumer; a sign of life is sent three times as often while a handler runs. */
  readonly ackWaitMs: number;
  /** Checks the JSON body; a throw makes the message invalid. */
  readonly parse: (json: unknown, delivery: Delivery) => T;
  /** Handles a message. A throw or rejection means `nak` with the default delay. */
  readonly handle: (message: Incoming<T>) => Promise<Outcome> | Outcome;
  /** Must store an invalid message safely; then it is terminated. If this fails, it is delivered again. */
  readonly onInvalid: (delivery: Delivery, error: Error) => Promise<void> | void;
  /** Called for failing handlers (with their delivery) and for faults of the loop (without). */
  readonly onError: (error: Error, delivery?: Delivery) => void;
  /** Time after which signs of life stop, so that a handler that hangs does not hold its message; default 600,000. */
  readonly maxRunMs?: number;
  /** Returns the delay of the n-th delivery's `nak`; default 1 s doubling to 60 s. */
  readonly retryDelayMs?: (deliveryCount: number) => number;
}

export interface Consuming {
  running(): number;
  /**
   * Takes no further messages, requeues those that arrive meanwhile, and resolves when every running handler has ended
   * and nats-server has its answer.
   */
  stop(): Promise<void>;
}

interface Run {
  readonly message: Msg;
  readonly startedAt: number;
  reported: boolean;
}

const defaultMaxRunMs = 600_000;

/**
 * Handles a durable pull consumer's messages until stopped, whatever happens to nats-server or the connection. A lost
 * answer causes another delivery: handlers must tolerate repeats.
 */
export function consume<T>(bus: Bus, options: ConsumeOptions<T>): Consuming {
  const { stream, durable } = options;
  const slots = typeof options.slots === 'number' ? () => options.slots as number : options.slots;
  assertSubject(`${stream}.${durable}`);
  const runs = new Set<Run>();
  const waiting: Msg[] = [];
  const idle = Promise.withResolvers<void>();
  let stopped = false;
  const onError = guard(bus, options);
  const answer = answering(onError);

  const work = async (message: Msg) => {
    const run: Run = { message, startedAt: performance.now(), reported: false };
    runs.add(run);
    try {
      answer(message, await decide(options, message, onError));
    } catch (error) {
      // Without an answer it is delivered again after `ack_wait`.
      onError(error as Error);
    }
    runs.delete(run);
    const next = waiting.shift();
    if (next !== undefined) void work(next);
    if (stopped && runs.size === 0) idle.resolve();
    puller.refill();
  };
  const onMessage = (message: Msg) => {
    // Another copy may get it immediately; waiting for `ack_wait` would only delay it.
    if (stopped) answer(message, ackBody.nak(0));
    // A request that outlived its connection can bring one message more than there are slots.
    else if (runs.size >= slots()) waiting.push(message);
    else void work(message);
  };
  const freeSlots = () => slots() - runs.size - waiting.length;
  const puller = createPuller({ bus, stream, durable, freeSlots, onMessage, onError });
  const life = setInterval(() => {
    for (const run of runs) if (isAlive(run, options, onError)) answer(run.message, ackBody.working());
    for (const message of waiting) answer(message, ackBody.working());
  }, options.ackWaitMs / 3);

  return {
    running: () => runs.size,
    async stop() {
      stopped = true;
      for (const message of waiting.splice(0)) answer(message, ackBody.nak(0));
      await puller.stop();
      if (runs.size > 0) await idle.promise;
      clearInterval(life);
      await flush(bus);
    },
  };
}

function answering(onError: (error: Error) => void): (message: Msg, body: Uint8Array) => void {
  return (message, body) => {
    try {
      message.respond(body);
    } catch (error) {
      onError(error as Error);
    }
  };
}

/** Determines the answer to one delivery. */
async function decide<T>(
  options: ConsumeOptions<T>,
  message: Msg,
  onError: (error: Error, delivery?: Delivery) => void,
): Promise<Uint8Array> {
  let delivery: Delivery | undefined;
  try {
    delivery = readDelivery(message);
    if (delivery === undefined) throw new Error(`not a delivery: ${message.subject}`);
    const parsed = parse(options, delivery);
    if ('invalid' in parsed) {
      await options.onInvalid(delivery, parsed.invalid);
      return ackBody.term();
    }
    const decided = await options.handle({ ...delivery, body: parsed.body });
    if (decided.outcome === 'ack') return ackBody.ack();
    if (decided.outcome === 'term') return ackBody.term();
    return ackBody.nak(decided.delayMs ?? retryDelay(options, delivery));
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)), delivery);
    return ackBody.nak(retryDelay(options, delivery));
  }
}

function parse<T>(options: ConsumeOptions<T>, delivery: Delivery): { body: T } | { invalid: Error } {
  try {
    return { body: options.parse(readJson(delivery), delivery) };
  } catch (error) {
    return { invalid: error instanceof Error ? error : new Error(String(error)) };
  }
}

function retryDelay<T>(options: ConsumeOptions<T>, delivery: Delivery | undefined): number {
  const count = delivery?.deliveryCount ?? 1;
  return options.retryDelayMs?.(count) ?? Math.min(60_000, 1_000 * 2 ** Math.min(count - 1, 6));
}

function isAlive<T>(run: Run, options: ConsumeOptions<T>, onError: (error: Error) => void): boolean {
  if (performance.now() - run.startedAt < (options.maxRunMs ?? defaultMaxRunMs)) return true;
  if (!run.reported) onError(new Error(`a handler of ${options.stream}/${options.durable} hangs`));
  run.reported = true;
  return false;
}

function guard<T>(bus: Bus, options: ConsumeOptions<T>): ConsumeOptions<T>['onError'] {
  return (error, delivery) => {
    try {
      options.onError(error, delivery);
    } catch (cause) {
      bus.fault(cause, `onError of ${options.stream}/${options.durable}`);
    }
  };
}
