import { connect } from 'node:net';

/** One HTTP request as sent over the wire, which may be malformed. */
export interface RawCall {
  /** Name of the sound call that it was derived from. */
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface RawAnswer {
  /** Undefined if the server ended the connection without an answer. */
  readonly status: number | undefined;
  readonly text: string;
}

const deadlineMs = 30_000;
/**
 * The server waits for the rest of an incomplete request. After this time the connection is closed, which also ends a
 * call in progress.
 */
const patienceMs = 1_500;

/**
 * Serializes the call. Characters of the head beyond Latin-1 are cut to one byte each, which is one more kind of
 * damage.
 */
export function serializeCall({ method, target, headers, body }: RawCall): Buffer {
  const framed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = framed || body.length === 0 ? headers : [...headers, ['content-length', String(body.length)]];
  const head = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/**
 * Sends the bytes on a separate connection and reads until the server ends it.
 * @param isWhole true if the request is complete, so that its answer is awaited
 */
export async function sendRaw(
  port: number,
  bytes: Buffer,
  { isWhole }: { readonly isWhole: boolean },
): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
    const giveUp = isWhole ? undefined : setTimeout(() => socket.end(), patienceMs);
    socket.setTimeout(deadlineMs, () => socket.destroy(new Error(`no answer in ${deadlineMs} ms`)));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      // A stream of events has no end.
      if (chunk.includes('text/event-stream')) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed the connection during sending.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve();
      else reject(error);
    });
    socket.on('close', () => {
      clearTimeout(giveUp);
      resolve();
    });
  });
  const text = Buffer.concat(chunks).toString('latin1');
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  return { status: statuses.find((status) => status >= 200), text };
}
