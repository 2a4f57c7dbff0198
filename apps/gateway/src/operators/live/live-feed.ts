import type { Bus } from '@rubrica/bus';
import { listeners, type MessageSubject, messageSchemas } from '@rubrica/contracts/messages/messages';
import type { Logger } from '@rubrica/process';

/** What happened, for pages that show it: ids and states alone, never a name or a number of a person. */
export interface LiveEvent {
  /** `certificate.issued`, `certificate.failed`, `review.changed`. */
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface LiveFeed {
  /** @returns ends the listening */
  listen(onEvent: (event: LiveEvent) => void): () => void;
}

/** Of each message, what goes out. */
const shownFields = ['requestId', 'certificateId', 'code', 'change'] as const;
const prefix = 'live.events.';

/**
 * Events as the streams say them again. Every copy hears each once, whatever number of pages it has open; what was missed is
 * not sent later.
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
      // Nothing may be thrown here: it would end the connection's read loop.
      callback: (err, message) => {
        if (err) return logger.warn({ err }, 'live events are not received');
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

/** undefined for what is none of ours, such as that of a newer release. */
function readEvent(subject: string, data: Uint8Array): LiveEvent | undefined {
  const name = subject.slice(prefix.length);
  const schema = messageSchemas[`events.${name}` as MessageSubject];
  const read = schema?.safeParse(parsed(data));
  if (!read?.success) return undefined;
  const fields = read.data as Readonly<Record<string, unknown>>;
  const shown = shownFields.flatMap((field) =>
    typeof fields[field] === 'string' ? [[field, fields[field]] as const] : [],
  );
  return { name, data: Object.fromEntries(shown) };
}

function parsed(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'));
  } catch {
    return undefined;
  }
}
