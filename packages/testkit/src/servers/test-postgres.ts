import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  ensureCluster,
  locateBinaries,
  type PostgresTls,
  postgresAccount,
  startPostgres,
} from './postgres/index.ts';
import { scratchDirectory, scratchRoot } from './scratch.ts';
import { databasesAt, type TestDatabases, testPassword } from './test-databases.ts';

const run = promisify(execFile);

export interface TestPostgres extends TestDatabases, AsyncDisposable {
  pid(): number;
  /** Kills the server, by default with SIGKILL: a crash, after which committed work must still exist. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts again with the same port and data. */
  restart(): Promise<void>;
}

/**
 * Settings without flushes to the disk. A killed server process still loses no commit: the kernel keeps what was
 * written. `synchronous_commit` must stay on for that; without it the last commits are still unwritten.
 */
const fastSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
};

/**
 * Starts a real PostgreSQL for this test process, which ends with it.
 * ```ts
 * await using postgres = await testPostgres();
 * const { appUrl, ownerUrl } = await postgres.service('intake');
 * ```
 */
export async function testPostgres(
  options: { settings?: Record<string, string>; tls?: PostgresTls } = {},
): Promise<TestPostgres> {
  const scratch = await scratchDirectory('postgres');
  const dataDirectory = join(scratch.path, 'data');
  await run('cp', ['-a', await clusterTemplate(), dataDirectory]);
  const server = await startPostgres({
    dataDirectory,
    logFile: join(scratch.path, 'postgres.log'),
    password: testPassword,
    settings: { ...fastSettings, ...options.settings },
    tls: options.tls,
  });
  return {
    ...databasesAt(server.port),
    pid: server.pid,
    kill: server.kill,
    restart: server.restart,
    async [Symbol.asyncDispose]() {
      // No data is kept, so the checkpoint of an orderly stop would be wasted.
      await server.kill('SIGQUIT');
      await scratch[Symbol.asyncDispose]();
    },
  };
}

/** Creates the result of initdb, which takes over a second, once per version, to be copied. */
async function clusterTemplate(): Promise<string> {
  const account = await postgresAccount();
  const binaries = await locateBinaries({ copyForOtherUser: account !== undefined });
  const template = join(scratchRoot, `cluster-${binaries.version}`);
  if (await exists(template)) return template;
  await mkdir(scratchRoot, { recursive: true, mode: 0o755 });
  const draft = join(scratchRoot, `cluster-draft-${process.pid}-${randomBytes(4).toString('hex')}`);
  await ensureCluster({ dataDirectory: draft, binaries, account, password: testPassword });
  try {
    await rename(draft, template);
  } catch (error) {
    // Another test process finished its template first.
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(template))) throw error;
  }
  return template;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
