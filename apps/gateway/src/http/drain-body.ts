import type { IncomingMessage } from 'node:http';
import { createChunkCounter } from '@rubrica/process';

/**
 * Reads on after an answer that was sent before the body arrived, at most for `graceMs`. A client that is still sending
 * then sees the answer instead of a reset connection. Many small chunks end the connection.
 */
export function drainBody(request: IncomingMessage, graceMs: number): void {
  if (request.complete || !announcesBody(request)) return;
  readToEnd(
    request,
    setTimeout(() => request.socket.destroy(), graceMs),
  );
}

/**
 * Reads and discards the rest for a caller that sends at length before reading, until nothing has arrived for
 * `silenceMs`.
 */
export function discardBody(request: IncomingMessage, silenceMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), silenceMs);
  request.on('data', () => timer.refresh());
  readToEnd(request, timer);
}

/** Discards what arrives until the body ends, the timer closes the connection, or too many small chunks have come. */
function readToEnd(request: IncomingMessage, timer: NodeJS.Timeout): void {
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
