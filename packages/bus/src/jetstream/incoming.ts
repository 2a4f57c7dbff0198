import type { Msg } from 'nats';
import type { Headers } from '../wire/headers.ts';
import { readHeaders } from '../wire/read-headers.ts';

/** One delivery of a message. */
export interface Delivery {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Lower-case names; `nats-msg-id` among them. */
  readonly headers: Headers;
  /** The publisher's `Nats-Msg-Id`; `<stream>.<sequence>` when it gave none. */
  readonly id: string;
  readonly stream: string;
  readonly sequence: number;
  /** 1 the first time. */
  readonly deliveryCount: number;
  readonly publishedAt: Date;
  /** Messages that wait behind this one. */
  readonly pending: number;
}

/** A message of a handler: its delivery and its parsed body. */
export interface Incoming<T> extends Delivery {
  readonly body: T;
}

/** Reads what JetStream says of a delivery in its reply subject; nothing when it is no delivery. */
export function readDelivery(message: Msg): Delivery | undefined {
  const tokens = (message.reply ?? '').split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK') return undefined;
  // Nine tokens, or eleven and more since domain and account hash were put before the stream.
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

/** The body as JSON; throws when it is none. */
export function readJson(delivery: Pick<Delivery, 'data'>): unknown {
  return JSON.parse(text.decode(delivery.data));
}

const ackBytes = Buffer.from('+ACK');
const workingBytes = Buffer.from('+WPI');
const termBytes = Buffer.from('+TERM');

/** The answers JetStream knows, as nats-server 2.9 reads them: `+TERM` takes no reason there. */
export const ackBody = {
  ack: () => ackBytes,
  working: () => workingBytes,
  term: () => termBytes,
  nak: (delayMs: number) =>
    Buffer.from(delayMs > 0 ? `-NAK {"delay": ${Math.round(delayMs * 1e6)}}` : '-NAK'),
};
