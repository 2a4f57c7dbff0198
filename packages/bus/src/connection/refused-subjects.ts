import type { Bus } from './connect-bus.ts';
import { flush } from './flush.ts';
import { subscribe } from './subscribe.ts';

/** Subjects without an effect on any listener: each is really used. */
export interface TriedSubjects {
  readonly publish: readonly string[];
  /** Subjects, with the queue group if the right is limited to that group. */
  readonly subscribe: readonly { readonly subject: string; readonly queue?: string }[];
}

/**
 * Lists the subjects that nats-server does not let this connection publish or subscribe to. Rejects if that cannot be
 * known.
 */
export async function refusedSubjects(bus: Bus, tried: TriedSubjects): Promise<string[]> {
  const refused = new Set<string>();
  const stop = bus.onStatus((status) => {
    if (status.type === 'refused') refused.add(status.subject);
  });
  const ignore = () => undefined;
  const subscriptions = tried.subscribe.map(({ subject, ...group }) =>
    subscribe(bus, subject, { ...group, onMessage: ignore, onRefused: () => void refused.add(subject) }),
  );
  for (const subject of tried.publish) bus.nc.publish(subject);
  // A refusal arrives before the answer to messages sent after its cause; the client reports it slightly later.
  const isKnown = (await flush(bus)) && (await flush(bus));
  stop();
  for (const subscription of subscriptions) if (!subscription.isClosed()) subscription.unsubscribe();
  if (!isKnown) throw new Error('the connection was lost');
  return [...refused];
}
