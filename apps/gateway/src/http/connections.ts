import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createNetworkCounts, listNetworks } from '@rubrica/process';
import type { IsProxy } from './proxies.ts';

export interface ConnectionLimits {
  /** 0 for no limit. */
  readonly maxPerAddress: number;
  /** A proxy brings the calls of many: its connections are not counted. */
  readonly isProxy: IsProxy;
}

/** Whether the calls of a connection are to be refused, because its address has too many others. */
export type IsSurplus = (socket: Socket) => boolean;

/** Time in which a surplus connection may make the call that is told so. */
const surplusLifeMs = 5_000;

/**
 * Limits the connections of one address. Some beyond the limit live just long enough to be told why; those beyond its
 * double are ended at once, or telling them would be the load that the limit is for.
 */
export function limitConnections(server: Server, { maxPerAddress, isProxy }: ConnectionLimits): IsSurplus {
  if (maxPerAddress === 0) return () => false;
  const counts = createNetworkCounts();
  const surplus = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    // The other side is gone already.
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const networks = listNetworks(remoteAddress);
    counts.add(networks, 1);
    socket.once('close', () => counts.add(networks, -1));
    const open = counts.load(networks);
    if (open <= maxPerAddress) return;
    surplus.add(socket);
    if (open > 2 * maxPerAddress) socket.destroy();
    else endAfter(socket, surplusLifeMs);
  });
  return (socket) => surplus.has(socket);
}

function endAfter(socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
