import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Calls on one connection that are not answered yet. Clients that send ahead stay far below it. */
const maxUnanswered = 128;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Ends a connection on which many calls come before the first is answered, and drops what its ended connection still brings: the
 * parser hands on all calls of a piece of 64 KiB, thousands of small ones, before any other connection has its turn.
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
