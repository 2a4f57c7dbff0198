import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BusPasswords,
  busAuthorization,
  certifiedBusAuthorization,
  locateNatsServer,
  startNats,
} from '@rubrica/testkit/nats';
import { type PostgresServer, startPostgres, superuser } from '@rubrica/testkit/postgres';
import { exists, type Home, projectRoot } from '../setup/home.ts';
import type { StackSettings } from '../setup/settings.ts';
import { listCertifiedUsers, type Transport } from '../setup/transport.ts';
import { type ManagedServer, manageServer } from '../supervision/managed-server.ts';
import { dataHome, removeAbandonedData } from './data-home.ts';
import { databaseName } from './environment.ts';

export interface DatabaseServer extends ManagedServer {
  /** True if this start created the data directory, which is then empty. */
  readonly fresh: boolean;
  readonly superuserUrl: string;
  /** URL of the database `rubrica`, as superuser. */
  readonly databaseUrl: string;
  url: PostgresServer['url'];
}

export async function startDatabase(options: {
  home: Home;
  settings: StackSettings;
  port: number;
  transport: Transport | undefined;
  onChange(): void;
}): Promise<DatabaseServer> {
  const { home, settings, transport } = options;
  const directory = dataHome(home, settings);
  const fresh = !(await exists(join(directory, 'data')));
  if (fresh) await removeAbandonedData();
  await mkdir(directory, { recursive: true, mode: 0o755 });
  // Tells a person who finds the folder which home it belongs to.
  await writeFile(join(directory, 'home'), `${home.directory}\n`);
  const server = await startPostgres({
    dataDirectory: join(directory, 'data'),
    logFile: join(home.logs, 'postgres.log'),
    password: settings.postgresPassword,
    port: options.port,
    tls: transport?.postgres,
  });
  const url: PostgresServer['url'] = (parts) => withTls(server.url(parts), transport);
  const asSuperuser = { user: superuser, password: settings.postgresPassword };
  return {
    ...manageServer(server, options.onChange),
    fresh,
    superuserUrl: url({ ...asSuperuser, database: 'postgres' }),
    databaseUrl: url({ ...asSuperuser, database: databaseName }),
    url,
  };
}

/**
 * Adds TLS to a URL. The host is a name, because certificates are checked against names. The parameters are those of
 * libpq, which other tools know too.
 */
function withTls(plain: string, transport: Transport | undefined): string {
  if (transport === undefined) return plain;
  const url = new URL(plain);
  url.hostname = 'localhost';
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', transport.postgresAuthorityFile);
  return url.href;
}

export interface MessageServer {
  /** URL without credentials, as the services receive it. */
  readonly url: string;
  /**
   * URL with credentials of the user that may see and change all streams; as `operator-calls` it receives all calls.
   */
  readonly operatorUrl: string;
  /** True if this start created the streams' store, or if the stack cannot know its content. */
  readonly fresh: boolean;
  /** Undefined if NATS_URL names a server that another program runs. */
  readonly managed: ManagedServer | undefined;
}

export function externalNats(url: string): MessageServer {
  return { url, operatorUrl: url, fresh: true, managed: undefined };
}

export async function startMessageServer(options: {
  home: Home;
  settings: StackSettings;
  port: number;
  transport: Transport | undefined;
  onChange(): void;
  onProgress(text: string): void;
}): Promise<MessageServer> {
  const { home, settings, transport } = options;
  const { operator = '', ...passwords } = settings.nats;
  const binary = await locateNatsServer({
    binDirectory: home.bin,
    alsoIn: [join(projectRoot, '.rubrica', 'bin')],
    onProgress: options.onProgress,
  });
  const fresh = !(await exists(join(home.nats, 'jetstream', 'jetstream')));
  const server = await startNats({
    directory: home.nats,
    binary,
    logFile: join(home.logs, 'nats.log'),
    port: options.port,
    extraConfig: await busConfiguration({ passwords, observers: { operator } }, transport),
  });
  await chmod(join(home.nats, 'nats-server.conf'), 0o600);
  const host = `${transport === undefined ? '127.0.0.1' : 'localhost'}:${server.port}`;
  return {
    url: `nats://${host}`,
    operatorUrl: `nats://operator:${operator}@${host}`,
    fresh,
    managed: manageServer(server, options.onChange),
  };
}

/** Renders the users of nats-server. With TLS each user is identified by certificate, and still has a password. */
export async function busConfiguration(
  passwords: BusPasswords,
  transport: Transport | undefined,
): Promise<string> {
  if (transport === undefined) return busAuthorization(passwords);
  const text = await certifiedBusAuthorization(passwords);
  return `${text}\n${await transport.certifyBus(listCertifiedUsers(text))}`;
}
