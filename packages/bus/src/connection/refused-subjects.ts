import type { Bus } from './connect-bus.ts';
import { flush } from './flush.ts';
import { subscribe } from './subscribe.ts';

/** Subjects that mean nothing to anybody who hears them: each is really used. */
export interface TriedSubjects {
  readonly publish: readonly string[];
  /** Subjects, with the queue group where the right is of that group alone. */
  readonly subscribe: readonly { readonly subject: string; readonly queue?: string }[];
}

/** Those that nats-server does not let this connection publish or subscribe to. Rejects where that cannot be known. */
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
  // A refusal comes before the answer to what was sent after its cause; the client tells of it a little later.
  const isKnown = (await flush(bus)) && (await flush(bus));
  stop();
  for (const one of subscriptions) if (!one.isClosed()) one.unsubscribe();
  if (!isKnown) throw new Error('the connection was lost');
  return [...refused];
}
