import { connect } from 'node:net';
import { expect } from 'vitest';

/** A connection on which a call is begun and never finished. */
export interface SlowSocket {
  /** Of the answer; undefined while there is none. */
  status(): number | undefined;
  /** All that came back so far. */
  received(): string;
  isClosed(): boolean;
  abort(): void;
  /** More of what was begun. */
  send(text: string): void;
  /** Reads what comes back, where it did not. */
  resume(): void;
}

export interface SlowCall {
  readonly path: string;
  readonly type?: string;
  readonly token?: string;
  /** Whose call it is, as our proxy says. */
  readonly from?: string;
  /** Bytes that are announced. */
  readonly announced?: number;
  /** What is sent of them. */
  readonly sent?: string;
}

export function slowSocket(port: number, call: SlowCall): SlowSocket {
  const { path, type = 'application/json', token, from, announced = 16_000, sent = '' } = call;
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: gateway.test',
    `content-type: ${type}`,
    `content-length: ${announced}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(from === undefined ? [] : [`x-forwarded-for: ${from}`]),
  ];
  return rawSocket(port, `${head.join('\r\n')}\r\n\r\n${sent}`);
}

/** @param options.paused does not read what comes back until it is told to */
export function rawSocket(port: number, text = '', { paused = false } = {}): SlowSocket {
  let received = '';
  let isClosed = false;
  const socket = connect({ port, host: '127.0.0.1' }, () => void socket.write(text));
  socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
  if (paused) socket.pause();
  // A reset is an end like any other.
  socket.on('error', () => undefined).on('close', () => (isClosed = true));
  return {
    status: () => (received === '' ? undefined : Number(received.slice(9, 12))),
    received: () => received,
    isClosed: () => isClosed,
    abort: () => void socket.destroy(),
    send: (more) => void socket.write(more),
    resume: () => void socket.resume(),
  };
}

/** How many sockets got which answer, once no more come in. */
export async function answersOf(sockets: readonly SlowSocket[], isSettled: (counts: Counts) => boolean) {
  const counts = () => countsOf(sockets);
  await expect.poll(() => isSettled(counts())).toBe(true);
  return counts();
}

export type Counts = Readonly<Record<string, number>>;

function countsOf(sockets: readonly SlowSocket[]): Counts {
  const counts: Record<string, number> = {};
  for (const socket of sockets) {
    const name = String(socket.status() ?? 'none');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
