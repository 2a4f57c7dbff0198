import { randomBytes } from 'node:crypto';
import type { Msg } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { subscribe } from '../connection/subscribe.ts';
import { createOpenPulls, type OpenRequests } from './open-requests.ts';

export interface PullerOptions {
  readonly bus: Bus;
  readonly stream: string;
  readonly durable: string;
  /** Number of messages that may be requested now. */
  readonly freeSlots: () => number;
  readonly onMessage: (message: Msg) => void;
  readonly onError: (error: Error) => void;
}

export interface Puller {
  /** Requests as many messages as slots are free and not requested yet. */
  refill(): void;
  /** Stops requesting; messages that nats-server had already sent still arrive at `onMessage` before this resolves. */
  stop(): Promise<void>;
}

/** Time for which nats-server holds a request for a message. */
const expiresMs = 5_000;
const graceMs = 1_000;
const checkMs = 500;
const backoffMs = [250, 500, 1_000, 2_000] as const;

/**
 * Creates the puller, which keeps one open request for one message per free slot. Requesting exactly as many as can be
 * handled matters: a message that waits here for a slot uses up its `ack_wait`. Requests lost with a server, a leader
 * or a connection are detected by their age, so the loop cannot die.
 */
export function createPuller(options: PullerOptions): Puller {
  const { bus, stream, durable, freeSlots, onError } = options;
  const inbox = `${bus.inboxPrefix}.${randomBytes(16).toString('base64url')}`;
  const next = `${bus.apiPrefix}.CONSUMER.MSG.NEXT.${stream}.${durable}`;
  const openRequests = createOpenPulls(expiresMs + graceMs);
  let stopped = false;

  const refill = () => {
    if (stopped || trouble.isPausing() || !bus.isConnected()) return;
    try {
      for (let missing = freeSlots() - openRequests.size(); missing > 0; missing -= 1) {
        bus.nc.publish(next, oneMessage, { reply: `${inbox}.${openRequests.add()}` });
      }
    } catch (error) {
      // Closed or draining: there is no server to ask any more.
      onError(error as Error);
    }
  };
  const trouble = createTrouble(refill, (reason) =>
    onError(new Error(`consumer ${stream}/${durable}: ${reason}`)),
  );
  const onStatus = (message: Msg, number: string) => {
    if (openRequests.isForgotten(number)) return;
    openRequests.settle(number);
    const code = message.headers?.code;
    // 408: nothing came within `expires`. 404: no message. Everything else is a fault.
    if (code === 408 || code === 404) trouble.over();
    else trouble.met(`${code} ${message.headers?.description ?? ''}`.trim());
    refill();
  };
  const onMessage = (message: Msg) => {
    if (message.subject.startsWith(inbox)) return onStatus(message, message.subject.slice(inbox.length + 1));
    trouble.over();
    openRequests.settle();
    options.onMessage(message);
  };
  const subscription = subscribe(bus, `${inbox}.*`, { onMessage, onRefused: onError });
  const unwatch = watch({ bus, standing: openRequests, next, refill, onRefused: trouble.met });
  refill();

  return {
    refill,
    async stop() {
      stopped = true;
      unwatch();
      if (!subscription.isClosed()) await subscription.drain().catch(() => undefined);
    },
  };
}

interface Watched {
  readonly bus: Bus;
  readonly standing: OpenRequests;
  readonly next: string;
  readonly refill: () => void;
  readonly onRefused: (reason: string) => void;
}

/**
 * Renews the requests over time and after lost connections.
 * @returns a function that ends it
 */
function watch({ bus, standing: openRequests, next, refill, onRefused }: Watched): () => void {
  const check = setInterval(() => {
    openRequests.forgetOverdue();
    refill();
  }, checkMs);
  const unlisten = bus.onStatus((status) => {
    if (status.type === 'disconnected') openRequests.forgetAll();
    else if (status.type === 'connected') refill();
    else if (status.type === 'refused' && status.subject === next) {
      onRefused(`not allowed to publish to ${next}`);
    }
  });
  return () => {
    clearInterval(check);
    unlisten();
  };
}

const oneMessage = Buffer.from(JSON.stringify({ batch: 1, expires: expiresMs * 1e6 }));

/**
 * Creates a back-off, which pauses longer each time, and reports once per series of failures: an unavailable server is
 * one event.
 */
function createTrouble(retry: () => void, report: (reason: string) => void) {
  let failures = 0;
  let pausedUntil = 0;
  const isPausing = () => performance.now() < pausedUntil;
  return {
    isPausing,
    over() {
      failures = 0;
    },
    met(reason: string) {
      // The other requests that were open at the same time report the same.
      if (isPausing()) return;
      if (failures === 0) report(reason);
      const waitMs = backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0;
      failures += 1;
      pausedUntil = performance.now() + waitMs;
      setTimeout(retry, waitMs + 1).unref();
    },
  };
}
