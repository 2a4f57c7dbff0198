import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of unanswered calls on one connection. Clients that use pipelining stay far below it. */
const maxUnanswered = 128;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Closes a connection with too many unanswered calls, and drops its remaining calls. The parser emits all calls of a
 * chunk of 64 KiB, thousands of small ones, before it serves another connection.
 */
export function boundPipelines(server: Server): void {
  const unanswered = new WeakMap<Socket, number>();
  const handlers = server.listeners('request') as Handler[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed || socket.writableEnded) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > maxUnanswered) return void socket.destroy();
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    for (const handle of handlers) handle.call(server, request, response);
  });
}
