import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

export const loopback = '127.0.0.1';

/**
 * Finds an unused TCP port on loopback: the preferred one if it is free, else any. Another process may still take it
 * before it is bound, so callers retry with another.
 */
export async function freePort(preferred?: number): Promise<number> {
  const [port] = await freePorts([preferred]);
  return port as number;
}

/** Finds several ports at once, all different. */
export async function freePorts(preferred: ReadonlyArray<number | undefined>): Promise<number[]> {
  const heldServers: Server[] = [];
  try {
    for (const wish of preferred) heldServers.push(await holdPort(wish));
    return heldServers.map(readPort);
  } finally {
    await Promise.all(heldServers.map((server) => new Promise((closed) => server.close(closed))));
  }
}

async function holdPort(preferred: number | undefined): Promise<Server> {
  const wishes = [preferred, ...Array.from({ length: 20 }, randomPort)];
  for (const wish of wishes) {
    const server = wish === undefined ? undefined : await listen(wish);
    if (server !== undefined) return server;
  }
  const server = await listen(0);
  if (server === undefined) throw new Error('This machine has no free TCP port on 127.0.0.1.');
  return server;
}

/**
 * Chooses a port below the range that the kernel uses for outgoing connections. A port that is free there may belong to
 * a connection by the time it is bound.
 */
function randomPort() {
  return randomInt(20_000, 32_000);
}

async function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: loopback, exclusive: true }, () => resolve(server));
  });
}

function readPort(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the held port was lost');
  return address.port;
}
