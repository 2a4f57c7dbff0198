import { execFile } from 'node:child_process';
import { access, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { endLeftover } from '../processes/child.ts';
import { identifyProcess } from '../processes/identity.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

const run = promisify(execFile);

export const superuser = 'rubrica';

export interface ClusterOptions {
  readonly dataDirectory: string;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly password: string;
}

/** Creates the data directory if there is none. An interrupted attempt is removed and repeated. */
export async function ensureCluster(options: ClusterOptions): Promise<{ created: boolean }> {
  const { dataDirectory, account } = options;
  const complete = join(dataDirectory, 'rubrica-complete');
  if (await exists(complete)) return { created: false };
  await rm(dataDirectory, { recursive: true, force: true });
  await mkdir(dirname(dataDirectory), { recursive: true });
  await mkdir(dataDirectory, { mode: 0o700 });
  if (account !== undefined) await chown(dataDirectory, account.uid, account.gid);
  await initialise(options);
  await writeFile(complete, '');
  return { created: true };
}

async function initialise(options: ClusterOptions): Promise<void> {
  const { dataDirectory, binaries, account, password } = options;
  const passwordFile = `${dataDirectory}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
  const args = [
    ...['-D', dataDirectory, '-U', superuser, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    // Built into PostgreSQL, so that the sort order does not depend on the machine's locales.
    ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    ...['--no-instructions', '--no-sync'],
  ];
  try {
    await run(binaries.initdb, args, { cwd: dataDirectory, env: postgresEnvironment(), ...(account ?? {}) });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`PostgreSQL could not make its data directory ${dataDirectory}:\n${stderr || message}`, {
      cause: error,
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Excludes the caller's PG* variables, which would redirect the server and its tools. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * Ends the remains of a crash. The pid in `postmaster.pid` may belong to another process by now, and PostgreSQL would
 * refuse to start beside it. Only a process that names this very data directory may be ended.
 */
export async function clearStaleServer(dataDirectory: string): Promise<void> {
  const lockFile = join(dataDirectory, 'postmaster.pid');
  const text = await readFile(lockFile, 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return;
  const identity = identifyProcess(pid);
  if (identity !== undefined && (await servesDirectory(pid, dataDirectory))) {
    await endLeftover(identity, { signal: 'SIGINT', deadlineMs: 10_000 });
  }
  await rm(lockFile, { force: true });
}

async function servesDirectory(pid: number, dataDirectory: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return commandLine.split('\0').includes(dataDirectory);
  }
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes(dataDirectory);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
