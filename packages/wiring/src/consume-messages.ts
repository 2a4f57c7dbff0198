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
import { AppError, continuedTrace, type Logger, SpanTemplate, uuidv7, withSpanIn } from '@rubrica/process';
import { createLineLimit } from './line-limit.ts';
import { assertSigned, type MessageSigner } from './message-statement.ts';

/**
 * Nothing once the message's effect is committed; `again` asks for it later; `never` says that it can never be
 * done, and why: it goes to the dead letters.
 */
export type Handled =
  | undefined
  | { readonly again: { readonly delayMs: number } }
  | { readonly never: Error };

type Handlers = { readonly [S in MessageSubject]?: (message: Message<S>) => Promise<Handled> };

interface Known {
  readonly subject: MessageSubject;
  readonly message: never;
}

export interface Consumption {
  readonly bus: Bus;
  readonly consumer: ConsumerDefinition;
  /** Messages worked on at once in this copy; asked again whenever one ends, where it is a function. */
  readonly slots: number | (() => number);
  readonly handlers: Handlers;
  /** The service that has to have signed each message; without it, whoever may publish there is believed. */
  readonly signer?: MessageSigner;
  readonly logger: Logger;
}

const unavailableDelayMs = 1_000;

/** Lines about messages that cannot be handled: whoever may publish to a stream must not fill the log. */
const deadLetterLines = { most: 60, everyMs: MINUTE_MS };

/**
 * Works on one durable consumer with a handler per subject, in the request and trace that the message came from.
 * A message that does not fit its schema, or is not signed by its service, goes to the dead letters, byte for byte, and is never delivered again.
 */
export function consumeMessages({ bus, consumer, slots, handlers, signer, logger }: Consumption): Consuming {
  const { publish } = createPublisher(bus);
  const mayWrite = createLineLimit(deadLetterLines);
  const setAside = async (delivery: Delivery, err: Error) => {
    const { subject, id: messageId, data } = delivery;
    if (mayWrite())
      logger.error({ err, subject, messageId }, 'a message cannot be handled: it goes to the dead letters');
    try {
      await publish({ subject: `dlq.${subject}`, id: deadLetterId(delivery), data });
    } catch (error) {
      // What is never stored would come again until its stream forgets it, and keep others from being delivered.
      if (!(error instanceof JetStreamError && isFinal(error))) throw error;
      logger.error({ err: error, subject, messageId }, 'a dead letter was refused: the message is dropped');
    }
  };
  return consume<Known>(bus, {
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
        const handled = await work(handlers, incoming.body);
        if (handled === undefined) return { outcome: 'ack' };
        if ('again' in handled) return { outcome: 'nak', delayMs: handled.again.delayMs };
        await setAside(incoming, handled.never);
        return { outcome: 'term' };
      }),
    onInvalid: setAside,
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

/** Names a dead letter by facts of the stream: the publisher's id may be one that no dead letter can have. */
function deadLetterId({ stream, sequence, publishedAt }: Delivery): string {
  return `dlq:${stream}.${sequence}.${publishedAt.getTime()}`;
}

function inContext(
  { id, headers, subject }: Incoming<Known>,
  durable: string,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const requestId = headers['x-request-id'] ?? uuidv7();
  const traceparent = continuedTrace(headers.traceparent);
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

async function work(handlers: Handlers, { subject, message }: Known): Promise<Handled> {
  try {
    return await handlers[subject]?.(message);
  } catch (error) {
    // A peer that is away is no fault of the message: a growing delay would only make its recovery slower.
    if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')
      return { again: { delayMs: unavailableDelayMs } };
    throw error;
  }
}
