import type { Bus } from '@rubrica/bus';
import { listeners, type MessageSubject, messageSchemas } from '@rubrica/contracts/messages/messages';
import type { Logger } from '@rubrica/process/log';

/** Event for pages: only ids and states, never personal data. */
export interface LiveEvent {
  /** `certificate.issued`, `certificate.failed`, `review.changed`. */
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface LiveFeed {
  /**
   * Registers a listener.
   * @returns function that removes it
   */
  listen(onEvent: (event: LiveEvent) => void): () => void;
}

/** Fields of a message that are published. */
const shownFields = ['requestId', 'certificateId', 'code', 'change'] as const;
const prefix = 'live.events.';

/**
 * Creates the feed from the streams' repeated events. Each copy subscribes once, however many pages are open; missed
 * events are not sent later.
 */
export function createLiveFeed({
  bus,
  logger,
}: {
  readonly bus: Pick<Bus, 'nc'>;
  readonly logger: Pick<Logger, 'warn'>;
}): LiveFeed {
  const open = new Set<(event: LiveEvent) => void>();
  for (const subject of listeners.gateway ?? [])
    bus.nc.subscribe(subject, {
      // An exception here would end the connection's read loop.
      callback: (err, message) => {
        if (err) return logger.warn({ err }, 'live event subscription failed');
        const event = readEvent(message.subject, message.data);
        if (event !== undefined) for (const onEvent of open) onEvent(event);
      },
    });
  return {
    listen(onEvent) {
      open.add(onEvent);
      return () => void open.delete(onEvent);
    },
  };
}

/** Parses an event; undefined for an unknown one, such as that of a newer release. */
function readEvent(subject: string, data: Uint8Array): LiveEvent | undefined {
  const name = subject.slice(prefix.length);
  const schema = messageSchemas[`events.${name}` as MessageSubject];
  const parsedMessage = schema?.safeParse(parseJson(data));
  if (!parsedMessage?.success) return undefined;
  const fields = parsedMessage.data as Readonly<Record<string, unknown>>;
  const published = shownFields.flatMap((field) =>
    typeof fields[field] === 'string' ? [[field, fields[field]] as const] : [],
  );
  return { name, data: Object.fromEntries(published) };
}

function parseJson(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'));
  } catch {
    return undefined;
  }
}
