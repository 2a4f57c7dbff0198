import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Calls whose clients wait for `100 Continue` before they send the body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Defers `100 Continue` to the reader of the body. Node would send it immediately, and a body that is refused by its
 * token, type or length would be sent in vain (RFC 9110, section 10.1.1).
 */
export function holdContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
}

/** Tells whether the client still withholds the body. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** Asks the client for the body, once. */
export function sendContinue(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (response === undefined) return;
  waiting.delete(request);
  if (!response.headersSent && !response.destroyed) response.writeContinue();
}
