import { connect } from 'node:net';

/** One HTTP request as it goes over the wire: nothing in it has to be well-formed. */
export interface RawCall {
  /** Which sound call it was made from. */
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface RawAnswer {
  /** Undefined: the server ended the connection without an answer. */
  readonly status: number | undefined;
  readonly text: string;
}

const deadlineMs = 30_000;
/**
 * For a damaged request that is not whole the server waits for the rest: after this time it is told that none comes,
 * which also ends a call that is still worked on.
 */
const patienceMs = 1_500;

/** As bytes. Characters beyond Latin-1 of the head are cut to one byte each, which is one more kind of damage. */
export function bytesOf({ method, target, headers, body }: RawCall): Buffer {
  const framed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = framed || body.length === 0 ? headers : [...headers, ['content-length', String(body.length)]];
  const head = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/**
 * Sends the bytes on a connection of their own and reads until the server ends it.
 * @param isWhole the server has all of the request, so that its answer is waited for
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
      // The server hung up while more was being sent.
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
