import type { Msg, NatsConnection, NatsError, Subscription } from 'nats';

export interface Subscriber {
  readonly nc: NatsConnection;
  fault(error: unknown, where: string): void;
}

export interface SubscribeOptions {
  readonly queue?: string;
  readonly onMessage: (message: Msg) => void;
  /** Called if nats-server refused the subscription, which has then ended. */
  readonly onRefused: (error: NatsError) => void;
}

/**
 * Subscribes with a callback that cannot throw: an exception there would end the client's read loop, and with it every
 * other subscription of the process.
 */
export function subscribe(bus: Subscriber, subject: string, options: SubscribeOptions): Subscription {
  return bus.nc.subscribe(subject, {
    ...(options.queue === undefined ? {} : { queue: options.queue }),
    callback: (error, message) => {
      try {
        if (error === null) options.onMessage(message);
        else options.onRefused(error);
      } catch (cause) {
        bus.fault(cause, `subscription ${subject}`);
      }
    },
  });
}
