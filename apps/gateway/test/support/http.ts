import { connect } from 'node:net';
import { type ErrorObject, errorObjectSchema } from '@rubrica/contracts/shared/errors';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  json<Value = Record<string, unknown>>(): Value;
  /** The body as an error object; throws when it is none. */
  error(): ErrorObject;
}

interface Call {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** Objects are sent as JSON, all else as it is. */
  readonly body?: unknown;
}

export async function call(url: string, { method, token, headers = {}, body }: Call = {}): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof URLSearchParams;
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as string }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: () => JSON.parse(text),
    error: () => errorObjectSchema.parse(JSON.parse(text)),
  };
}

/** Writes bytes to a port as they are and collects what comes back until `isEnough` or the end. */
export async function rawExchange(
  port: number,
  write: string | readonly string[],
  isEnough: (text: string) => boolean = () => false,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  const socket = connect({ port, host: '127.0.0.1' }, () => {
    for (const part of [write].flat()) socket.write(part, 'latin1');
  });
  socket.setTimeout(20_000, () => reject(new Error(`no end in 20 s; so far: ${received.slice(0, 300)}`)));
  socket.on('data', (chunk) => {
    received += chunk.toString('utf8');
    if (isEnough(received)) socket.destroy();
  });
  // A reset after an answer is an end like any other.
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(received));
  return promise.finally(() => socket.destroy());
}
