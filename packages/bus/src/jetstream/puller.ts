import { randomBytes } from 'node:crypto';
import type { Msg, Subscription } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { subscribe } from '../connection/subscribe.ts';

export interface PullerOptions {
  readonly bus: Bus;
  readonly stream: string;
  readonly durable: string;
  /** How many messages may be asked for now. */
  readonly freeSlots: () => number;
  readonly onMessage: (message: Msg) => void;
  readonly onError: (error: Error) => void;
}

export interface Puller {
  /** Asks for as many messages as slots are free and not asked for yet. */
  refill(): void;
  /** Stops asking; what nats-server had already sent still arrives at `onMessage` before this resolves. */
  stop(): Promise<void>;
}

/** How long nats-server holds a request for a message. */
const expiresMs = 5_000;
/** A request without any answer this long after it should have expired is forgotten: its server is gone. */
const graceMs = 1_000;
const checkMs = 500;
const backoffMs = [250, 500, 1_000, 2_000] as const;

/**
 * Keeps one request for one message standing per free slot. Asking for exactly what can be worked on at once
 * matters: a message that waits here for a slot uses up its `ack_wait`. Requests that get lost with a server,
 * a leader or a connection are noticed by their age, so the loop cannot die.
 */
export function createPuller(options: PullerOptions): Puller {
  const { bus, stream, durable, freeSlots, onError } = options;
  const inbox = `${bus.inboxPrefix}.${randomBytes(16).toString('base64url')}`;
  const next = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`;
  const body = Buffer.from(JSON.stringify({ batch: 1, expires: expiresMs * 1e6 }));
  /** Requests that stand, by number, with the time on `performance.now()` when each is given up. */
  const standing = new Map<string, number>();
  let sequence = 0;
  let lastOfLostConnection = 0;
  let stopped = false;
  let pausedUntil = 0;
  let failuresInRow = 0;

  const refill = () => {
    const now = performance.now();
    if (stopped || now < pausedUntil || !bus.isConnected()) return;
    for (let missing = freeSlots() - standing.size; missing > 0; missing -= 1) {
      sequence += 1;
      const number = String(sequence);
      standing.set(number, now + expiresMs + graceMs);
      try {
        bus.nc.publish(next, body, { reply: `${inbox}.${number}` });
      } catch (error) {
        standing.delete(number);
        // Closed or draining: there is nobody to ask any more.
        onError(error as Error);
        return;
      }
    }
  };
  /** Deliveries do not say which request they answer; the oldest will do, the count is what matters. */
  const settle = (number?: string) => {
    const key = number !== undefined && standing.has(number) ? number : standing.keys().next().value;
    if (key !== undefined) standing.delete(key);
  };
  const pause = (reason: string) => {
    const waitMs = backoffMs[Math.min(failuresInRow, backoffMs.length - 1)] ?? 0;
    // One report per row of failures: a server that is away for a minute is one event.
    if (failuresInRow === 0) onError(new Error(`consumer ${stream}/${durable}: ${reason}`));
    failuresInRow += 1;
    pausedUntil = performance.now() + waitMs;
    setTimeout(refill, waitMs + 1).unref();
  };
  const onMessage = (message: Msg) => {
    const isStatus = message.subject.startsWith(inbox);
    if (!isStatus) {
      failuresInRow = 0;
      settle();
      options.onMessage(message);
      return;
    }
    const number = message.subject.slice(inbox.length + 1);
    // A request of an earlier connection does not count any more.
    if (Number(number) <= lastOfLostConnection) return;
    settle(number);
    const code = message.headers?.code;
    // 408: nothing came within `expires`. 404: nothing there. Everything else is a fault of some kind.
    if (code === 408 || code === 404) failuresInRow = 0;
    else if (performance.now() >= pausedUntil) pause(`${code} ${message.headers?.description ?? ''}`);
    refill();
  };
  const subscription = subscribe(bus, `${inbox}.*`, { onMessage, onRefused: onError });
  const check = setInterval(() => {
    const now = performance.now();
    for (const [number, givenUpAt] of standing) if (givenUpAt <= now) standing.delete(number);
    refill();
  }, checkMs);
  const unlisten = bus.onStatus((status) => {
    if (status.type === 'disconnected') {
      standing.clear();
      lastOfLostConnection = sequence;
    } else if (status.type === 'connected') refill();
    else if (status.type === 'refused' && status.subject === next) pause(`not allowed to publish to ${next}`);
  });
  refill();

  return {
    refill,
    async stop() {
      stopped = true;
      clearInterval(check);
      unlisten();
      await drain(subscription);
    },
  };
}

async function drain(subscription: Subscription): Promise<void> {
  if (!subscription.isClosed()) await subscription.drain().catch(() => undefined);
}
