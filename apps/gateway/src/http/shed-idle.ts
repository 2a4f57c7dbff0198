import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections that wait for a further call, and the oldest that have brought none, once four fifths of all that a server
 * takes are open: whoever brings a call is served before whoever may. Without it idle or silent connections from a few addresses
 * keep all others out.
 * @returns whether it is so crowded now: answers then end their connection, which no idle one follows
 */
export function shedIdle(server: Server, mostConnections: number): () => boolean {
  const most = Math.floor(mostConnections * 0.8);
  /** Oldest first. */
  const silent = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    silent.add(socket);
    socket.once('close', () => {
      open -= 1;
      silent.delete(socket);
    });
    if (open <= most) return;
    server.closeIdleConnections();
    let surplus = open - most;
    for (const oldest of silent) {
      if (surplus <= 0 || oldest === socket) break;
      silent.delete(oldest);
      oldest.destroy();
      surplus -= 1;
    }
  });
  server.on('request', ({ socket }) => void silent.delete(socket));
  return () => open > most;
}
