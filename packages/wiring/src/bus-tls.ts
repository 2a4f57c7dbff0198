import { isIP } from 'node:net';
import { join } from 'node:path';
import type { BusOptions } from '@rubrica/bus';

export interface BusTlsSettings {
  readonly url: string;
  readonly tlsDirectory?: string | undefined;
}

/**
 * Builds the TLS options of one user's connection: servers must be certified by the bus's own authority, and the user
 * presents the certificate with its name. The files are read at each connection, so new ones need no restart. Without a
 * folder the connection is plain, as on loopback.
 * @throws Error for servers without a name: Node checks the certificate of an address as if it were `localhost`
 */
export function busTls({ url, tlsDirectory }: BusTlsSettings, user: string): Pick<BusOptions, 'tls'> {
  if (tlsDirectory === undefined) return {};
  for (const server of url.split(',')) {
    const { hostname } = new URL(server.includes('://') ? server : `nats://${server}`);
    if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
      throw new Error('NATS_URL must name its servers where NATS_TLS_DIRECTORY is set: no IP addresses');
    }
  }
  return {
    tls: {
      caFile: join(tlsDirectory, 'ca.pem'),
      certFile: join(tlsDirectory, `${user}.pem`),
      keyFile: join(tlsDirectory, `${user}.key`),
    },
  };
}
