import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createNetworkCounts } from '@rubrica/process/bodies';
import { listNetworks } from '@rubrica/process/networks';
import type { IsProxy } from './proxies.ts';

export interface ConnectionLimits {
  /** Maximum connections per address; 0 for no limit. */
  readonly maxPerAddress: number;
  /** Recognises proxies, whose connections are not counted because they serve many callers. */
  readonly isProxy: IsProxy;
}

/** Returns whether the calls of a connection must be refused, because its address has too many others. */
export type IsSurplus = (socket: Socket) => boolean;

/** Time for a surplus connection to make the call that gets the refusal. */
const surplusLifeMs = 5_000;

/**
 * Limits the connections of one address. Some beyond the limit stay open just long enough to receive the refusal. Those
 * beyond double the limit are closed immediately, or the refusals would cause the load that the limit prevents.
 */
export function limitConnections(server: Server, { maxPerAddress, isProxy }: ConnectionLimits): IsSurplus {
  if (maxPerAddress === 0) return () => false;
  const counts = createNetworkCounts();
  const surplus = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    // The other side has already closed.
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const networks = listNetworks(remoteAddress);
    counts.add(networks, 1);
    socket.once('close', () => counts.add(networks, -1));
    const open = counts.load(networks);
    if (open <= maxPerAddress) return;
    surplus.add(socket);
    if (open > 2 * maxPerAddress) socket.destroy();
    else closeAfter(socket, surplusLifeMs);
  });
  return (socket) => surplus.has(socket);
}

function closeAfter(socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
