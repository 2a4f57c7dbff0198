import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { certifiedUserOf } from '@rubrica/contracts/messages/accounts';
import {
  createTransportAuthority,
  type IssuedCertificate,
  type TransportAuthority,
} from '@rubrica/testkit/certificates';
import type { PostgresTls } from '@rubrica/testkit/postgres';
import { replaceFile } from './files.ts';

interface ServerNames {
  readonly dnsNames: readonly string[];
  readonly addresses?: readonly string[];
}

/** What the certificates of the embedded servers name. */
const embeddedServers: ServerNames = { dnsNames: ['localhost'], addresses: ['127.0.0.1'] };

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
export async function makeTransport(
  directory: string,
  serverNames: ServerNames = embeddedServers,
): Promise<Transport> {
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
      await writeCertificate(serverDirectory, 'server', await servers.issue('serverAuth', serverNames));
      await replaceFile(join(serverDirectory, 'clients-ca.pem'), clients.certificate);
      await replaceFile(join(busDirectory, 'ca.pem'), servers.certificate);
      for (const user of users) {
        await writeCertificate(busDirectory, user, await certifyUser(clients, user));
      }
      return [
        'tls {',
        `  cert_file: ${JSON.stringify(join(serverDirectory, 'server.pem'))}`,
        `  key_file: ${JSON.stringify(join(serverDirectory, 'server.key'))}`,
        `  ca_file: ${JSON.stringify(join(serverDirectory, 'clients-ca.pem'))}`,
        '  verify_and_map: true',
        '  timeout: 5',
        '}',
      ].join('\n');
    },
  };
}

/** What nats-server and NATS_TLS_DIRECTORY expect: `<name>.pem` and `<name>.key`. The key first: it is no use alone. */
export async function writeCertificate(
  folder: string,
  name: string,
  { certificate, key }: IssuedCertificate,
  mode: number = 0o600,
): Promise<void> {
  await replaceFile(join(folder, `${name}.key`), key, mode);
  await replaceFile(join(folder, `${name}.pem`), certificate, mode);
}

/** For clientAuth only: nobody can be a server by it. */
export function certifyUser(authority: TransportAuthority, user: string): Promise<IssuedCertificate> {
  return authority.issue('clientAuth', { emails: [certifiedUserOf(user)] });
}

/** The users, by their plain names, that nats-server's configuration knows by their certificates. */
export function certifiedUsersIn(configuration: string): string[] {
  const names = configuration.matchAll(/\buser: "([^"]+)"/g);
  const domain = certifiedUserOf('');
  return Array.from(names, ([, name = '']) => name)
    .filter((name) => name.endsWith(domain))
    .map((name) => name.slice(0, -domain.length));
}
