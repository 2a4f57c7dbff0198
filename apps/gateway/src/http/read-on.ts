import type { IncomingMessage } from 'node:http';

/**
 * After an answer that came before the body had arrived: reads on, so that a client which is still sending
 * sees the answer instead of a reset connection, but not for longer than `graceMs`.
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
  request.on('data', () => timer.refresh());
  request.once('end', done);
  request.once('close', done);
  request.on('error', done);
  request.resume();
}

/** Whether a body comes with a request. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
