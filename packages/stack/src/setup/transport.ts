import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransportAuthority, type TransportAuthority } from '@rubrica/testkit/certificates';
import type { PostgresTls } from '@rubrica/testkit/postgres';
import { replaceFile } from './files.ts';

/** What the certificates of the embedded servers name. */
const serverNames = { dnsNames: ['localhost'], addresses: ['127.0.0.1'] } as const;

export interface Transport {
  readonly postgres: PostgresTls;
  /** `sslrootcert` of those who connect to PostgreSQL. */
  readonly postgresAuthorityFile: string;
  /** NATS_TLS_DIRECTORY. */
  readonly busDirectory: string;
  /** Certifies the bus's clients, and nobody else. */
  readonly busClients: TransportAuthority;
  /** Makes the certificates of these users. @returns nats-server's part of it: configuration text */
  certifyBus(users: readonly string[]): Promise<string>;
}

/**
 * Certificates for a stack with TLS inside, made anew at each start, so that no authority's key is kept. The bus's
 * clients have an authority of their own: a certificate of any other, a web server's too, lets nobody in.
 */
export async function makeTransport(directory: string): Promise<Transport> {
  const busDirectory = join(directory, 'bus');
  const serverDirectory = join(directory, 'nats');
  for (const folder of [busDirectory, serverDirectory]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const [databases, servers, clients] = await Promise.all([
    createTransportAuthority('Rubrica PostgreSQL'),
    createTransportAuthority('Rubrica bus servers'),
    createTransportAuthority('Rubrica bus clients'),
  ]);
  const postgresAuthorityFile = join(directory, 'postgres-ca.pem');
  await replaceFile(postgresAuthorityFile, databases.certificate);
  return {
    postgres: {
      ...(await databases.issue('serverAuth', serverNames)),
      authority: databases.certificate,
    },
    postgresAuthorityFile,
    busDirectory,
    busClients: clients,
    async certifyBus(users) {
      const files = {
        certificate: join(serverDirectory, 'server.pem'),
        key: join(serverDirectory, 'server.key'),
      };
      const server = await servers.issue('serverAuth', serverNames);
      await replaceFile(files.certificate, server.certificate);
      await replaceFile(files.key, server.key);
      await replaceFile(join(serverDirectory, 'clients-ca.pem'), clients.certificate);
      await replaceFile(join(busDirectory, 'ca.pem'), servers.certificate);
      for (const user of users) {
        const made = await clients.issue('clientAuth', { emails: [busUser(user)] });
        await replaceFile(join(busDirectory, `${user}.pem`), made.certificate);
        await replaceFile(join(busDirectory, `${user}.key`), made.key);
      }
      return [
        'tls {',
        `  cert_file: ${JSON.stringify(files.certificate)}`,
        `  key_file: ${JSON.stringify(files.key)}`,
        `  ca_file: ${JSON.stringify(join(serverDirectory, 'clients-ca.pem'))}`,
        '  verify_and_map: true',
        '  timeout: 5',
        '}',
      ].join('\n');
    },
  };
}

/** The name in a client's certificate, which nats-server takes for the user. */
export function busUser(name: string): string {
  return `${name}@bus.rubrica`;
}
