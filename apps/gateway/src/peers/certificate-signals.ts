import type { Bus } from '@rubrica/bus';
import type { Logger } from '@rubrica/process';

/** Signals that a request's certificate changed. Hints only: intake knows the state. */
export interface CertificateSignals {
  /** @returns ends the subscription */
  listen(requestId: string, onSignal: () => void): () => void;
}

const subject = 'live.events.certificate.>';

/**
 * A plain subscription without a consumer: every copy gets every event, and none is stored. After a missed event, or
 * without the right to subscribe, the caller finds the change at its next look.
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
    // Nothing may be thrown here: it would end the connection's read loop.
    callback: (error, message) => {
      if (error) {
        logger.warn({ err: error }, 'certificate events are not received');
        return;
      }
      for (const onSignal of listeners.get(requestIdOf(message.data) ?? '') ?? []) onSignal();
    },
  });
  return {
    listen(requestId, onSignal) {
      const ofRequest = listeners.get(requestId) ?? new Set();
      listeners.set(requestId, ofRequest.add(onSignal));
      return () => {
        ofRequest.delete(onSignal);
        if (ofRequest.size === 0 && listeners.get(requestId) === ofRequest) listeners.delete(requestId);
      };
    },
  };
}

function requestIdOf(data: Uint8Array): string | undefined {
  try {
    const { requestId } = JSON.parse(Buffer.from(data).toString('utf8')) as { requestId?: unknown };
    return typeof requestId === 'string' ? requestId : undefined;
  } catch {
    return undefined;
  }
}
