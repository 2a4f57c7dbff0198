import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Calls whose clients wait for `100 Continue` before they send the body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Leaves `100 Continue` to whoever reads the body: Node would send it at once, and a body that will be refused by its token,
 * type or length would be sent for nothing (RFC 9110, section 10.1.1).
 */
export function holdContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
}

/** Tells whether the client still holds the body back. */
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
