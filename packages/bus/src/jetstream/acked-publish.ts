import type { Msg, MsgHdrs } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import type { FailureReason } from '../wire/failures.ts';
import { type ApiError, fromApiError, fromFailureReason, JetStreamError } from './jetstream-error.ts';

export interface Published {
  readonly stream: string;
  readonly sequence: number;
  /** The stream had this id already; nothing was added. */
  readonly duplicate: boolean;
}

export interface Request {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: MsgHdrs;
  readonly timeoutMs: number;
}

/** Sends one request over the bus's shared inbox; rejects with a `JetStreamError`. The subject is not checked. */
export function request(bus: Bus, { subject, data, headers, timeoutMs }: Request): Promise<Msg> {
  return new Promise((resolve, reject) => {
    const expiresAt = performance.now() + timeoutMs;
    const onReply = (message: Msg) => {
      resolve(message);
      return true;
    };
    const onFailure = (reason: FailureReason, cause?: Error) =>
      reject(fromFailureReason(subject, reason, cause));
    bus.requests.send({ subject, expiresAt, onReply, onFailure }, data, headers);
  });
}

/** Publishes a message. Resolves when the stream has stored it. */
export async function publishAcked(bus: Bus, message: Request): Promise<Published> {
  const { subject } = message;
  const reply = await request(bus, message);
  const ack = parseAck(reply.data);
  if (ack.error !== undefined) throw fromApiError(subject, ack.error);
  if (typeof ack.stream === 'string' && typeof ack.seq === 'number') {
    return { stream: ack.stream, sequence: ack.seq, duplicate: ack.duplicate === true };
  }
  const text = 'whoever answered is no stream';
  throw new JetStreamError({ code: 'refused', stored: 'unknown', subject, message: text });
}

interface Ack {
  stream?: unknown;
  seq?: unknown;
  duplicate?: unknown;
  error?: ApiError;
}

const utf8 = new TextDecoder();

function parseAck(data: Uint8Array): Ack {
  try {
    return (JSON.parse(utf8.decode(data)) as Ack | null) ?? {};
  } catch {
    return {};
  }
}
