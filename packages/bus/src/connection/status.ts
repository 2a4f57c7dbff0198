import type { NatsConnection, Status } from 'nats';

export type BusStatus =
  | { readonly type: 'connected' | 'disconnected' | 'closed' }
  /** nats-server refused a publish or a subscription: an allow-list lacks the subject. */
  | { readonly type: 'refused'; readonly operation: 'publish' | 'subscription'; readonly subject: string }
  | { readonly type: 'error'; readonly code: string };

export interface StatusFeed {
  isConnected(): boolean;
  /**
   * Adds a listener.
   * @returns a function that removes it
   */
  listen(listener: (status: BusStatus) => void): () => void;
}

/** Creates a feed of the connection's own status events; listeners are called synchronously and must not throw. */
export function createStatusFeed(nc: NatsConnection): StatusFeed {
  const listeners = new Set<(status: BusStatus) => void>();
  let connected = true;
  const notify = (status: BusStatus) => {
    if (status.type === 'connected') connected = true;
    if (status.type === 'disconnected' || status.type === 'closed') connected = false;
    for (const listener of [...listeners]) listener(status);
  };
  void follow(nc, notify);
  void nc.closed().then(() => notify({ type: 'closed' }));
  return {
    isConnected: () => connected && !nc.isClosed(),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

async function follow(nc: NatsConnection, notify: (status: BusStatus) => void): Promise<void> {
  for await (const event of nc.status()) {
    const status = translate(event);
    if (status !== undefined) notify(status);
  }
}

function translate(event: Status): BusStatus | undefined {
  if (event.type === 'disconnect') return { type: 'disconnected' };
  if (event.type === 'reconnect') return { type: 'connected' };
  if (event.type !== 'error') return undefined;
  const refused = event.permissionContext;
  return refused === undefined
    ? { type: 'error', code: String(event.data) }
    : {
        type: 'refused',
        operation: refused.operation as 'publish' | 'subscription',
        subject: refused.subject,
      };
}
