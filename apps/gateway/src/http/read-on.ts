import type { IncomingMessage } from 'node:http';
import { createChunkCounter } from '@rubrica/process';

/**
 * After an answer that came before the body had arrived: reads on, so that a client which is still sending
 * sees the answer instead of a reset connection, but not for longer than `graceMs`. Many
 * small chunks end the connection.
 */
export function readOn(request: IncomingMessage, graceMs: number): void {
  if (request.complete || !announcesBody(request)) return;
  const timer = setTimeout(() => request.socket.destroy(), graceMs);
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

/**
 * The same for a caller who sends at length before reading anything: all that comes is read and dropped, until nothing has
 * come for `silenceMs`.
 */
export function discard(request: IncomingMessage, silenceMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), silenceMs);
  timer.unref();
  const done = () => clearTimeout(timer);
  const count = createChunkCounter();
  request.on('data', (chunk: Buffer) => void (count(chunk) ? timer.refresh() : endAfterAnswer(request)));
  request.once('end', done);
  request.once('close', done);
  request.on('error', done);
  request.resume();
}

/** Reads no more, and ends the connection when the answer is written. */
function endAfterAnswer(request: IncomingMessage): void {
  request.removeAllListeners('data').socket.pause().destroySoon();
}

/** Whether a body comes with a request. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
