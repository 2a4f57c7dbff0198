import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes idle connections, and the oldest that never made a call, once four fifths of the limit are open: connections
 * with calls have priority. Otherwise, idle or silent connections from a few addresses would lock out all others.
 * @returns whether the server is crowded now: answers then close their connection
 */
export function shedIdle(server: Server, mostConnections: number): () => boolean {
  const threshold = Math.floor(mostConnections * 0.8);
  /** Ordered by age, oldest first. */
  const silent = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    silent.add(socket);
    socket.once('close', () => {
      open -= 1;
      silent.delete(socket);
    });
    if (open <= threshold) return;
    server.closeIdleConnections();
    let surplus = open - threshold;
    for (const oldest of silent) {
      if (surplus <= 0 || oldest === socket) break;
      silent.delete(oldest);
      oldest.destroy();
      surplus -= 1;
    }
  });
  server.on('request', ({ socket }) => void silent.delete(socket));
  return () => open > threshold;
}
