import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = '0\r\n\r\n';

export interface Answer {
  readonly status: number;
  /** Empty for an answer with 200; otherwise the reason. */
  readonly body: string;
}

/**
 * Opens one HTTP/1.1 connection that sends prepared bytes and waits for the answer. It uses the socket directly,
 * because every client library found needs more processor time per call than the measured servers.
 */
export async function openConnection(url: URL): Promise<{
  exchange(request: Buffer): Promise<Answer>;
  close(): void;
}> {
  const socket = await connectSocket(url);
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

function connectSocket(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** Parses the answer once all its bytes have arrived; `undefined` before. */
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
