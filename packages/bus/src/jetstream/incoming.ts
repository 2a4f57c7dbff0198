import type { Msg } from 'nats';
import type { Headers } from '../wire/headers.ts';
import { readHeaders } from '../wire/read-headers.ts';

/** One delivery of a message. */
export interface Delivery {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Headers with lower-case names; `nats-msg-id` is one of them. */
  readonly headers: Headers;
  /** The publisher's `Nats-Msg-Id`; `<stream>.<sequence>` if it set none. */
  readonly id: string;
  readonly stream: string;
  readonly sequence: number;
  /** 1 for the first delivery. */
  readonly deliveryCount: number;
  readonly publishedAt: Date;
  /** Number of messages that wait after this one. */
  readonly pending: number;
}

/** Message for a handler: its delivery and its parsed body. */
export interface Incoming<T> extends Delivery {
  readonly body: T;
}

/** Reads the facts of a delivery from JetStream's reply subject; undefined if it is not a delivery. */
export function readDelivery(message: Msg): Delivery | undefined {
  const tokens = (message.reply ?? '').split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK') return undefined;
  // Nine tokens, or eleven and more since domain and account hash were added before the stream.
  const [stream, , deliveries, sequence, , timestampNs, pending] =
    tokens.length === 9 ? tokens.slice(2) : tokens.slice(4);
  if (stream === undefined || sequence === undefined || timestampNs === undefined) return undefined;
  const headers = readHeaders(message);
  return {
    subject: message.subject,
    data: message.data,
    headers,
    id: headers['nats-msg-id'] ?? `${stream}.${sequence}`,
    stream,
    sequence: Number(sequence),
    deliveryCount: Number(deliveries),
    publishedAt: new Date(Number(timestampNs) / 1e6),
    pending: Number(pending),
  };
}

const text = new TextDecoder('utf-8', { fatal: true });

/** Parses the body as JSON; throws if it is not. */
export function readJson(delivery: Pick<Delivery, 'data'>): unknown {
  return JSON.parse(text.decode(delivery.data));
}

const ackBytes = Buffer.from('+ACK');
const workingBytes = Buffer.from('+WPI');
const termBytes = Buffer.from('+TERM');

/** Answers to JetStream, as nats-server 2.9 reads them: `+TERM` takes no reason there. */
export const ackBody = {
  ack: () => ackBytes,
  working: () => workingBytes,
  term: () => termBytes,
  nak: (delayMs: number) =>
    Buffer.from(delayMs > 0 ? `-NAK {"delay": ${Math.round(delayMs * 1e6)}}` : '-NAK'),
};
