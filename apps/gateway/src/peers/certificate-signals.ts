import type { Bus } from '@rubrica/bus';
import type { Logger } from '@rubrica/process/log';

/** Signals that a request's certificate changed. They are only hints: intake knows the state. */
export interface CertificateSignals {
  /**
   * Subscribes to the signals of a request.
   * @returns function that ends the subscription
   */
  listen(requestId: string, onSignal: () => void): () => void;
}

const subject = 'live.events.certificate.>';

/**
 * Creates a plain subscription without a consumer: every copy gets every event, and none is stored. After a missed
 * event, or without the permission to subscribe, the caller finds the change at its next check.
 */
export function createCertificateSignals({
  bus,
  logger,
}: {
  bus: Pick<Bus, 'nc'>;
  logger: Pick<Logger, 'warn'>;
}): CertificateSignals {
  const listeners = new Map<string, Set<() => void>>();
  bus.nc.subscribe(subject, {
    // An exception here would end the connection's read loop.
    callback: (error, message) => {
      if (error) {
        logger.warn({ err: error }, 'certificate event subscription failed');
        return;
      }
      for (const onSignal of listeners.get(readRequestId(message.data) ?? '') ?? []) onSignal();
    },
  });
  return {
    listen(requestId, onSignal) {
      const callbacks = listeners.get(requestId) ?? new Set();
      listeners.set(requestId, callbacks.add(onSignal));
      return () => {
        callbacks.delete(onSignal);
        if (callbacks.size === 0 && listeners.get(requestId) === callbacks) listeners.delete(requestId);
      };
    },
  };
}

function readRequestId(data: Uint8Array): string | undefined {
  try {
    const { requestId } = JSON.parse(Buffer.from(data).toString('utf8')) as { requestId?: unknown };
    return typeof requestId === 'string' ? requestId : undefined;
  } catch {
    return undefined;
  }
}
