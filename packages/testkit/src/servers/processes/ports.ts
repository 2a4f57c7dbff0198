import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

export const loopback = '127.0.0.1';

/**
 * A TCP port on loopback that nobody listens on: the preferred one when it is free, else any.
 * Another process may still take it before its user binds it, so callers retry with another.
 */
export async function freePort(preferred?: number): Promise<number> {
  const [port] = await freePorts([preferred]);
  return port as number;
}

/** Several at once, all different. */
export async function freePorts(preferred: ReadonlyArray<number | undefined>): Promise<number[]> {
  const held: Server[] = [];
  try {
    for (const wish of preferred) held.push(await holdPort(wish));
    return held.map(portOf);
  } finally {
    await Promise.all(held.map((server) => new Promise((closed) => server.close(closed))));
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
 * Below the range from which the kernel takes ports for outgoing connections: there, a port that is free now
 * may be some connection's by the time it is bound.
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

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the held port was lost');
  return address.port;
}
