import {
  type Bus,
  type Consuming,
  consume,
  createPublisher,
  type Delivery,
  type Incoming,
  JetStreamError,
  type Outcome,
} from '@rubrica/bus';
import {
  type ConsumerDefinition,
  type Message,
  type MessageSubject,
  messageSchemas,
} from '@rubrica/contracts/messages/messages';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { continueTrace } from '@rubrica/process/context';
import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import { SpanTemplate, withSpanIn } from '@rubrica/process/tracing';
import { createLineLimit } from './line-limit.ts';
import { assertSigned, type MessageSigner } from './message-statement.ts';

/**
 * Outcome of a message. Undefined: its effect is committed. `again`: it is delivered again later. `never`: it can never
 * be handled, for this reason, and moves to the dead letters.
 */
export type MessageOutcome =
  | undefined
  | { readonly again: { readonly delayMs: number } }
  | { readonly never: Error };

type Handlers = { readonly [S in MessageSubject]?: (message: Message<S>) => Promise<MessageOutcome> };

interface KnownMessage {
  readonly subject: MessageSubject;
  readonly message: never;
}

export interface Consumption {
  readonly bus: Bus;
  readonly consumer: ConsumerDefinition;
  /** Messages handled at once in this copy; a function is called again whenever one ends. */
  readonly slots: number | (() => number);
  readonly handlers: Handlers;
  /** Service that must have signed each message; without it every publisher is trusted. */
  readonly signer?: MessageSigner;
  readonly logger: Logger;
}

const unavailableDelayMs = 1_000;

/** Limit of log lines about messages that cannot be handled: a publisher to a stream must not fill the log. */
const deadLetterLines = { most: 60, everyMs: MINUTE_MS };

/**
 * Consumes one durable consumer with a handler per subject, in the request and trace of each message. A message that
 * does not fit its schema, or is not signed by its service, moves to the dead letters, byte for byte, and is never
 * delivered again.
 */
export function consumeMessages({ bus, consumer, slots, handlers, signer, logger }: Consumption): Consuming {
  const { publish } = createPublisher(bus);
  const mayWrite = createLineLimit(deadLetterLines);
  const storeDeadLetter = async (delivery: Delivery, err: Error) => {
    const { subject, id: messageId, data } = delivery;
    if (mayWrite()) logger.error({ err, subject, messageId }, 'message moved to dead letters');
    try {
      await publish({ subject: `dlq.${subject}`, id: deadLetterId(delivery), data });
    } catch (error) {
      // A dead letter that is never stored would be delivered until its stream drops it, and block others.
      if (!(error instanceof JetStreamError && isFinal(error))) throw error;
      logger.error({ err: error, subject, messageId }, 'dead letter refused, message dropped');
    }
  };
  return consume<KnownMessage>(bus, {
    ...consumer,
    slots,
    parse: (json, delivery) => {
      const { subject } = delivery;
      const known = subject as MessageSubject;
      if (!Object.hasOwn(handlers, known)) throw new Error(`nothing here works on ${subject}`);
      if (signer !== undefined) assertSigned(delivery, signer);
      return { subject: known, message: messageSchemas[known].parse(json) as never };
    },
    handle: (incoming) =>
      inContext(incoming, consumer.durable, async () => {
        const handled = await runHandler(handlers, incoming.body);
        if (handled === undefined) return { outcome: 'ack' };
        if ('again' in handled) return { outcome: 'nak', delayMs: handled.again.delayMs };
        await storeDeadLetter(incoming, handled.never);
        return { outcome: 'term' };
      }),
    onInvalid: storeDeadLetter,
    onError: (err, delivery) =>
      logger.warn(
        { err, subject: delivery?.subject, messageId: delivery?.id },
        'a message will be tried again',
      ),
  });
}

function isFinal({ code }: JetStreamError): boolean {
  return code === 'refused' || code === 'too-large';
}

/** Names a dead letter by facts of the stream: the publisher's id may be invalid for a dead letter. */
function deadLetterId({ stream, sequence, publishedAt }: Delivery): string {
  return `dlq:${stream}.${sequence}.${publishedAt.getTime()}`;
}

function inContext(
  { id, headers, subject }: Incoming<KnownMessage>,
  durable: string,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const requestId = headers['x-request-id'] ?? uuidv7();
  const traceparent = continueTrace(headers.traceparent);
  const span = new SpanTemplate(`work ${subject}`, {
    kind: 'consumer',
    facts: {
      'messaging.system': 'nats',
      'messaging.operation.name': 'work',
      'messaging.operation.type': 'process',
      'messaging.destination.name': subject,
      'messaging.consumer.group.name': durable,
      'messaging.message.id': id,
    },
    fields: { subject },
  });
  return withSpanIn({ requestId, traceparent }, span, run);
}

async function runHandler(handlers: Handlers, { subject, message }: KnownMessage): Promise<MessageOutcome> {
  try {
    return await handlers[subject]?.(message);
  } catch (error) {
    // An unavailable peer is not the message's fault: a growing delay would only slow down its recovery.
    if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')
      return { again: { delayMs: unavailableDelayMs } };
    throw error;
  }
}
