import { listNetworks } from '@rubrica/process/networks';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the caller's address for the audit; `unknown` where the connection has ended, although the types exclude it.
 */
export function getCallerAddress(request: { readonly ip: FastifyRequest['ip'] | undefined }): string {
  return request.ip?.slice(0, 64) ?? 'unknown';
}

/** Returns the network by which intake counts a caller: for IPv6 the /64. */
export function getCallerNetwork(address: string | undefined): string {
  return listNetworks(address)[0].key;
}
