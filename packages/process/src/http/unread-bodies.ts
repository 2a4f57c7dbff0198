import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createChunkCounter } from '../bodies/small-chunks.ts';

/** Time for the rest of a body after the answer. */
const graceMs = 5_000;
/** Requests whose body is discarded. */
const discarded = new WeakSet<IncomingMessage>();

/**
 * Reads on after each answer that is sent before the body arrived, for 5 seconds. A client that is still sending then
 * sees the answer instead of a reset connection. Many small chunks that no route reads end the connection: Node
 * discards such a body, and would parse any number of them.
 */
export function drainUnreadBodies(server: Server): void {
  // Before other listeners, which may answer immediately.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!announcesBody(request)) return;
    boundUnreadChunks(request);
    // After `finish` Node has begun to discard the body itself.
    response.once('prefinish', () => drainBody(request));
  });
}

/** Counts the chunks that arrive before anybody reads them. A reader counts its own, and answers. */
function boundUnreadChunks(request: IncomingMessage): void {
  const count = createChunkCounter();
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null && !count(chunk) && request.readableFlowing === null) request.socket.destroy();
    return push(chunk, encoding);
  };
}

function drainBody(request: IncomingMessage): void {
  if (request.complete || discarded.has(request)) return;
  readToEnd(
    request,
    setTimeout(() => request.socket.destroy(), graceMs),
  );
}

/**
 * Reads and discards the rest for a caller that sends at length before reading, until nothing has arrived for
 * `silenceMs`. Call before the answer ends.
 */
export function discardBody(request: IncomingMessage, silenceMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), silenceMs);
  request.on('data', () => timer.refresh());
  readToEnd(request, timer);
}

/** Discards what arrives until the body ends, the timer closes the connection, or too many small chunks have come. */
function readToEnd(request: IncomingMessage, timer: NodeJS.Timeout): void {
  discarded.add(request);
  timer.unref();
  const done = () => clearTimeout(timer);
  request.once('end', done);
  request.once('close', done);
  // Errors after the answer are ignored.
  request.on('error', done);
  const count = createChunkCounter();
  request.on('data', (chunk: Buffer) => void (count(chunk) || endAfterAnswer(request)));
  request.resume();
}

/** Stops reading, and closes the connection when the answer is written. */
function endAfterAnswer(request: IncomingMessage): void {
  request.removeAllListeners('data').socket.pause().destroySoon();
}

/** Returns whether a request has a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
