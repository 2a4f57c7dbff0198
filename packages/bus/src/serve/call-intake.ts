import type { Msg, Subscription } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { subscribe } from '../connection/subscribe.ts';
import { cancelToken } from '../wire/subjects.ts';
import { type Addressed, isReplyAllowed } from './address.ts';
import { createFloodLimit } from './flood-limit.ts';
import type { InFlight } from './in-flight.ts';

export interface CallIntakeDeps {
  readonly bus: Bus;
  readonly queue: string;
  readonly addressed: Addressed;
  readonly inFlight: InFlight;
  readonly onRefused: (error: Error) => void;
  /**
   * Creates the receiver.
   * @param waste reports a message that brought no call
   */
  readonly createReceiver: (waste: (message: Msg) => void) => (message: Msg) => void;
}

/** Subscriptions to the calls of one caller. */
export interface CallIntake {
  /** Takes no further calls. Those that nats-server has already delivered still run. */
  drain(): Promise<void>;
  /** Stops receiving aborts. */
  close(): void;
}

/** Time for which nothing of a caller is accepted. */
const pauseMs = 1_000;

/**
 * Accepts calls and aborts of one caller. After a flood of messages without a call the subscriptions are cancelled for
 * a second: nats-server then drops the messages, which would keep this process from the calls of others.
 */
export function openCallIntake(deps: CallIntakeDeps): CallIntake {
  const { bus, queue, addressed, inFlight, onRefused, createReceiver } = deps;
  const { prefix, caller = 'any caller' } = addressed;
  const limit = createFloodLimit();
  let open: readonly Subscription[] = [];
  let pause: NodeJS.Timeout | undefined;
  let isEnding = false;
  const waste = ({ data }: Msg) => {
    if (!limit.isExceededBy(data.length) || isEnding || pause !== undefined) return;
    bus.fault(new Error('Too many messages that are no calls'), `calls of ${caller} at ${prefix}`);
    for (const subscription of open) subscription.unsubscribe();
    pause = setTimeout(resume, pauseMs);
  };
  const onMessage = createReceiver(waste);
  const onAbort = (message: Msg) => {
    const { reply } = message;
    if (!isReplyAllowed(addressed, reply) || !inFlight.cancel(reply)) waste(message);
  };
  const resume = () => {
    pause = undefined;
    if (bus.nc.isClosed()) return;
    open = [
      subscribe(bus, `${prefix}.>`, { queue, onMessage, onRefused }),
      // Every copy receives an abort; only the one that runs the call knows its reply subject.
      subscribe(bus, `${prefix}.${cancelToken}`, { onMessage: onAbort, onRefused }),
    ];
  };
  resume();
  return {
    async drain() {
      isEnding = true;
      clearTimeout(pause);
      const [calls] = open;
      if (calls !== undefined && !calls.isClosed()) await calls.drain().catch(() => undefined);
    },
    close() {
      for (const subscription of open) if (!subscription.isClosed()) subscription.unsubscribe();
    },
  };
}
