import { accessSync, constants } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pollFor } from '../poll-for.ts';
import { postgresAccount, superuser } from './postgres/index.ts';
import { freePort, loopback, MissingPiece, spawnChild } from './processes/index.ts';
import { scratchDirectory } from './scratch.ts';
import { testPassword } from './test-databases.ts';

export interface TestPooler extends AsyncDisposable {
  readonly port: number;
  /** Returns the same address through the pooler. */
  through(url: string): string;
}

const places = ['/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer', '/usr/bin/pgbouncer'];
const roles = ['intake', 'generation', 'terms', 'notifier', 'shop'].map((service) => `rubrica_${service}`);

/** Finds PgBouncer in Debian's folders. */
export function findPooler(): string | undefined {
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Starts PgBouncer in transaction mode before a test's PostgreSQL: each transaction of a client may use another
 * session. It has few connections, so that this happens soon.
 * @throws MissingPiece without pgbouncer
 */
export async function testPooler(port: number): Promise<TestPooler> {
  const command = findPooler();
  if (command === undefined)
    throw new MissingPiece('PgBouncer is not installed.', 'Install it with: apt-get install pgbouncer');
  await using owned = new AsyncDisposableStack();
  const { path: folder } = owned.use(await scratchDirectory('pooler'));
  const account = await postgresAccount();
  const own = await freePort();
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(users, [superuser, ...roles].map((role) => `"${role}" "${testPassword}"\n`).join(''));
  await writeFile(settings, renderSettings({ port, own, users }));
  if (account !== undefined)
    for (const path of [folder, users, settings]) await chown(path, account.uid, account.gid);
  const logFile = join(folder, 'pooler.log');
  const child = await spawnChild({
    command,
    args: [settings],
    cwd: folder,
    logFile,
    account,
    onParentDeath: 'SIGKILL',
  });
  owned.defer(async () => void (await child.stop({ signal: 'SIGQUIT', deadlineMs: 5_000 })));
  await pollFor(() => isListening(own), { what: 'PgBouncer listens' });
  const held = owned.move();
  return {
    port: own,
    through: (url) => atPort(url, own),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

export function atPort(url: string, port: number): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}

function renderSettings({ port, own, users }: { port: number; own: number; users: string }): string {
  return `[databases]
* = host=${loopback} port=${port}
[pgbouncer]
listen_addr = ${loopback}
listen_port = ${own}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
server_idle_timeout = 10
max_client_conn = 500
`;
}

function isListening(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, loopback);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(undefined));
    socket.once('connect', () => socket.destroy());
  });
}
