import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = '0\r\n\r\n';

export interface Answer {
  readonly status: number;
  /** Only of an answer that is not 200: a reader wants to know why, and only then. */
  readonly body: string;
}

/**
 * One HTTP/1.1 connection that sends prepared bytes and waits for the answer. Written on the socket because every
 * client library found spends more processor time per call than the servers under measurement do.
 */
export async function openConnection(url: URL): Promise<{
  exchange(request: Buffer): Promise<Answer>;
  close(): void;
}> {
  const socket = await connected(url);
  let pending: PromiseWithResolvers<Answer> | undefined;
  let received: Buffer[] = [];
  const fail = (error: Error) => {
    pending?.reject(error);
    pending = undefined;
  };
  socket.on('data', (chunk) => {
    received.push(chunk);
    const answer = readAnswer(received.length === 1 ? chunk : Buffer.concat(received));
    if (answer === undefined) return;
    received = [];
    pending?.resolve(answer);
    pending = undefined;
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  return {
    exchange(request) {
      pending = Promise.withResolvers<Answer>();
      socket.write(request);
      return pending.promise;
    },
    close: () => void socket.destroy(),
  };
}

function connected(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** The answer once all its bytes are there; `undefined` before. */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const headLength = bytes.indexOf(HEAD_END);
  if (headLength === -1) return undefined;
  const head = bytes.toString('latin1', 0, headLength);
  const bodyStart = headLength + HEAD_END.length;
  if (!isComplete(head, bytes, bodyStart)) return undefined;
  const status = Number(head.slice(9, 12));
  return { status, body: status === 200 ? '' : bytes.toString('utf8', bodyStart) };
}

function isComplete(head: string, bytes: Buffer, bodyStart: number): boolean {
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= bodyStart + Number(length);
  return bytes.toString('latin1', bytes.length - CHUNKS_END.length) === CHUNKS_END;
}
