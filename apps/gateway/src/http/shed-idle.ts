import type { Server } from 'node:http';

/**
 * Closes connections that wait for a further call once four fifths of all that a server takes are open: whoever comes is served
 * before whoever may come again, who connects anew. Without it idle connections from a few addresses keep all others out.
 */
export function shedIdle(server: Server, mostConnections: number): void {
  const most = Math.floor(mostConnections * 0.8);
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > most) server.closeIdleConnections();
  });
}
