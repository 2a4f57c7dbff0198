import {
  type Bus,
  type Consuming,
  consume,
  createPublisher,
  type Incoming,
  type Outcome,
} from '@rubrica/bus';
import {
  type ConsumerDefinition,
  type Message,
  type MessageSubject,
  messageSchemas,
} from '@rubrica/contracts';
import { FenceLost, isDatabaseUnavailable } from '@rubrica/database';
import { type Logger, newTraceparent, uuidv7, withContext, withSpan } from '@rubrica/service';

type Handlers = { readonly [S in MessageSubject]?: (message: Message<S>) => Promise<void> };

interface Parsed {
  readonly subject: MessageSubject;
  readonly message: never;
}

/**
 * Works on one durable consumer with a handler per subject, in the request and trace that the message came from.
 * A message that does not fit its schema goes to the dead letters, byte for byte, and is never delivered again.
 */
export const consumeMessages = (options: {
  bus: Bus;
  consumer: ConsumerDefinition;
  slots: number;
  handlers: Handlers;
  logger: Logger;
}): Consuming => {
  const { bus, consumer, handlers, logger } = options;
  const { publish } = createPublisher(bus);
  return consume<Parsed>(bus, {
    ...consumer,
    slots: options.slots,
    parse: (json, { subject }) => {
      const known = subject as MessageSubject;
      if (!handlers[known]) throw new Error(`nothing here works on ${subject}`);
      return { subject: known, message: messageSchemas[known].parse(json) as never };
    },
    handle: (incoming) => inContext(incoming, () => run(handlers, incoming.body)),
    async onInvalid({ subject, id, data }, err) {
      logger.error({ err, subject, messageId: id }, 'a message does not fit its schema');
      await publish({ subject: `dlq.${subject}`, id: `dlq:${id}`, data });
    },
    onError: (err, delivery) =>
      logger.warn(
        { err, subject: delivery?.subject, messageId: delivery?.id },
        'a message will be tried again',
      ),
  });
};

const inContext = (incoming: Incoming<Parsed>, work: () => Promise<Outcome>): Promise<Outcome> => {
  const { headers, subject } = incoming;
  const context = {
    requestId: headers['x-request-id'] ?? uuidv7(),
    traceparent: headers.traceparent ?? newTraceparent(),
  };
  return withContext(context, () => withSpan(`work ${subject}`, { subject }, work));
};

const run = async (handlers: Handlers, { subject, message }: Parsed): Promise<Outcome> => {
  try {
    await handlers[subject]?.(message);
    return { outcome: 'ack' };
  } catch (error) {
    // Somebody else has taken over, or ended it: what is left to do is theirs.
    if (error instanceof FenceLost) return { outcome: 'ack' };
    if (isDatabaseUnavailable(error)) return { outcome: 'nak', delayMs: 1_000 };
    throw error;
  }
};
