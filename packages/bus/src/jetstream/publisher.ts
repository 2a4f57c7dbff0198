import type { Bus } from '../connection/connect-bus.ts';
import { encodeHeaders, type Headers } from '../wire/headers.ts';
import { assertSubject } from '../wire/subjects.ts';
import { type Published, publishAcked } from './acked-publish.ts';
import { JetStreamError } from './jetstream-error.ts';

export interface OutgoingMessage {
  readonly subject: string;
  /** `Nats-Msg-Id`: within the stream's duplicate window the same id is stored once. Printable ASCII. */
  readonly id: string;
  /** Bytes and text are sent unchanged, anything else as JSON. */
  readonly data: Uint8Array | string | object;
  readonly headers?: Headers;
}

export interface Publisher {
  /**
   * Publishes a message. Resolves when the stream has stored it; rejects with a `JetStreamError`. Any number may be in
   * flight: publish without waiting for the previous one.
   */
  publish(message: OutgoingMessage): Promise<Published>;
}

const validId = /^[\x21-\x7e]{1,200}$/;

/** Creates a publisher to streams; `timeoutMs` (5,000) is the time to wait for an acknowledgement. */
export function createPublisher(bus: Bus, options: { timeoutMs?: number } = {}): Publisher {
  const timeoutMs = options.timeoutMs ?? 5_000;
  return {
    publish: async (message) => publishAcked(bus, { ...encode(message), timeoutMs }),
  };
}

function encode(message: OutgoingMessage) {
  const { subject, id } = message;
  try {
    if (!validId.test(id)) {
      throw new TypeError('a message id is 1 to 200 printable ASCII characters without spaces');
    }
    return {
      subject: assertSubject(subject),
      data: toBytes(message.data),
      headers: encodeHeaders(message.headers ?? {}, `Nats-Msg-Id: ${id}\r\n`),
    };
  } catch (cause) {
    const text = (cause as Error).message;
    throw new JetStreamError({ code: 'refused', stored: 'no', subject, message: text, cause });
  }
}

function toBytes(data: OutgoingMessage['data']): Uint8Array {
  if (data instanceof Uint8Array) return data;
  return Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
}
