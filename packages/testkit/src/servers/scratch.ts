import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { sharedDirectory } from './postgres/binaries.ts';

/** Folder of the test servers' data. For root it must be a folder that PostgreSQL's own user can enter. */
export const scratchRoot =
  process.getuid?.() === 0
    ? join(sharedDirectory, 'tests')
    : join(tmpdir(), `rubrica-tests-${userInfo().uid}`);

/** Folder that a developer's stack uses too, so that nats-server is unpacked once. */
export const binDirectory = join(import.meta.dirname, '../../../../.rubrica/bin');

/** Creates a folder, which disposal removes; it also removes folders of killed test runs. */
export async function scratchDirectory(label: string): Promise<AsyncDisposable & { path: string }> {
  await mkdir(scratchRoot, { recursive: true, mode: 0o755 });
  await sweep();
  const path = join(scratchRoot, `${label}-${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(path, { mode: 0o755 });
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

async function sweep(): Promise<void> {
  for (const name of await readdir(scratchRoot)) {
    const pid = Number(/-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1]);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await rm(join(scratchRoot, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
