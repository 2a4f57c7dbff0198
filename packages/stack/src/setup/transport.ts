import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toCertificateUser } from '@rubrica/contracts/messages/accounts';
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

/** Names and addresses in the certificates of the embedded servers. */
const embeddedServers: ServerNames = { dnsNames: ['localhost'], addresses: ['127.0.0.1'] };

export interface Transport {
  readonly postgres: PostgresTls;
  /** `sslrootcert` of PostgreSQL's clients. */
  readonly postgresAuthorityFile: string;
  /** NATS_TLS_DIRECTORY. */
  readonly busDirectory: string;
  /** Authority for clients of the bus only. */
  readonly busClients: TransportAuthority;
  /**
   * Issues the certificates of these users.
   * @returns their part of nats-server's configuration
   */
  certifyBus(users: readonly string[]): Promise<string>;
}

/**
 * Makes the certificates for a stack with internal TLS, anew at each start, so that no authority's key is stored. The
 * bus's clients have their own authority: a certificate of any other, including a web server's, gives no access.
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

/**
 * Writes `<name>.pem` and `<name>.key`, which nats-server and NATS_TLS_DIRECTORY expect. It writes the key first,
 * because a key alone has no use.
 */
export async function writeCertificate(
  folder: string,
  name: string,
  { certificate, key }: IssuedCertificate,
  mode: number = 0o600,
): Promise<void> {
  await replaceFile(join(folder, `${name}.key`), key, mode);
  await replaceFile(join(folder, `${name}.pem`), certificate, mode);
}

/** Issues a certificate for clientAuth only: it cannot identify a server. */
export function certifyUser(authority: TransportAuthority, user: string): Promise<IssuedCertificate> {
  return authority.issue('clientAuth', { emails: [toCertificateUser(user)] });
}

/** Lists the users, by their plain names, that nats-server's configuration identifies by certificate. */
export function listCertifiedUsers(configuration: string): string[] {
  const names = configuration.matchAll(/\buser: "([^"]+)"/g);
  const domain = toCertificateUser('');
  return Array.from(names, ([, name = '']) => name)
    .filter((name) => name.endsWith(domain))
    .map((name) => name.slice(0, -domain.length));
}
