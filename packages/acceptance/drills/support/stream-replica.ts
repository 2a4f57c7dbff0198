import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scratchDirectory } from '@rubrica/testkit';
import { type PostgresServer, startPostgres } from '@rubrica/testkit/postgres';
import { until } from '../../e2e/support/poll.ts';
import { giveToPostgres, takeBaseBackup, withSuperuser } from './postgres-backup.ts';

const run = promisify(execFile);
const name = 'replica';

export interface Replica extends AsyncDisposable {
  /** Promotes it: it accepts writes from now on, and follows no server. */
  promote(): Promise<void>;
  /** Answers on the former primary's port, like an address that follows the primary. */
  takeAddress(port: number): Promise<void>;
}

/**
 * Creates a hot standby of that PostgreSQL from a base backup and a replication slot. The primary waits for it with
 * every commit from the moment this resolves.
 * @param primaryUrl as superuser
 */
export async function synchronousReplica(primaryUrl: string): Promise<Replica> {
  await using resources = new AsyncDisposableStack();
  const scratch = resources.use(await scratchDirectory('replica'));
  const dataDirectory = join(scratch.path, 'data');
  await mkdir(dataDirectory, { mode: 0o700 });
  await withSuperuser(primaryUrl, (client) =>
    client.query('select pg_create_physical_replication_slot($1, true)', [name]),
  );
  await takeBaseBackup(primaryUrl, { base: dataDirectory });
  const { hostname, port, username, password } = new URL(primaryUrl);
  const settings = {
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)} application_name=${name}`,
    primary_slot_name: name,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value}'\n`);
  await writeFile(join(dataDirectory, 'postgresql.auto.conf'), lines.join(''));
  await writeFile(join(dataDirectory, 'standby.signal'), '');
  await giveToPostgres(dataDirectory);
  const server = await startPostgres({
    dataDirectory,
    logFile: join(scratch.path, 'postgres.log'),
    password: decodeURIComponent(password),
  });
  resources.defer(server.stop);
  await waitFor(primaryUrl);
  const owned = resources.move();
  return {
    promote: () => promote(server),
    async takeAddress(taken) {
      owned.use(await forwardPort(taken, server.port));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function waitFor(primaryUrl: string): Promise<void> {
  await withSuperuser(primaryUrl, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${name}'`);
    await client.query('select pg_reload_conf()');
    await until('a synchronous replica', async () => {
      const { rows } = await client.query('select sync_state from pg_stat_replication');
      return rows.some(({ sync_state }) => sync_state === 'sync') || undefined;
    });
  });
}

async function promote(server: PostgresServer): Promise<void> {
  await withSuperuser(server.superuserUrl, async (client) => {
    const { rows } = await client.query('select pg_promote(true, 60) as promoted');
    if (rows[0].promoted !== true) throw new Error('the replica was not promoted within 60 s');
  });
}

/**
 * Kills the server and all its processes at once, as when its machine dies: none of them may acknowledge anything
 * further.
 */
export async function killWithBackends(server: { pid(): number; kill(): Promise<void> }): Promise<void> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(server.pid())]);
  const killed = server.kill();
  for (const pid of stdout.split('\n').map(Number).filter(Boolean)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // The process ended by itself meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  await killed;
}

async function forwardPort(port: number, target: number): Promise<AsyncDisposable> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
