import type { Bus } from '@rubrica/bus';
import type { Logger } from '@rubrica/process';

/** Tells when something became of a request's certificate. A hint only: what is true intake says. */
export interface CertificateSignals {
  /** @returns ends the listening */
  listen(requestId: string, hear: () => void): () => void;
}

const subject = 'events.certificate.>';

/**
 * A plain subscription: every copy hears every event, none is kept for it, and one that is missed costs the
 * holder the time to the next look. Without the right to subscribe all is found by looking.
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
        logger.warn({ err: error }, 'certificate events are not heard');
        return;
      }
      for (const hear of listeners.get(requestIdOf(message.data) ?? '') ?? []) hear();
    },
  });
  return {
    listen(requestId, hear) {
      const heard = listeners.get(requestId) ?? new Set();
      listeners.set(requestId, heard.add(hear));
      return () => {
        heard.delete(hear);
        if (heard.size === 0 && listeners.get(requestId) === heard) listeners.delete(requestId);
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
