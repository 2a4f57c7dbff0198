import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { endLeftover, identifyProcess, isRunning, type ProcessIdentity } from '@rubrica/testkit/processes';
import { readJson, replaceJson } from '../setup/files.ts';
import type { Home } from '../setup/home.ts';

/** Processes of a run, so that the next one can end exactly those that a crash left running. */
export interface RunRecord {
  readonly supervisor: ProcessIdentity;
  /** Children in the order in which they are to be ended. */
  readonly children: ReadonlyArray<ProcessIdentity & { readonly name: string }>;
}

export class AlreadyRunning extends Error {
  readonly supervisor: ProcessIdentity;

  constructor(supervisor: ProcessIdentity, home: string) {
    super(`A stack is already running in ${home} (process ${supervisor.pid}).`);
    this.name = 'AlreadyRunning';
    this.supervisor = supervisor;
  }
}

/** Finds the running supervisor of this home. */
export async function findSupervisor(home: Home): Promise<ProcessIdentity | undefined> {
  const owner = await readJson<ProcessIdentity>(home.lockFile);
  return owner !== undefined && isRunning(owner) ? owner : undefined;
}

/** Locks the home for this process; a lock whose process has ended is replaced. */
export async function takeLock(home: Home): Promise<{ release(): Promise<void> }> {
  const own = identifyProcess(process.pid) as ProcessIdentity;
  for (;;) {
    try {
      await createWhole(home.lockFile, JSON.stringify(own));
      return { release: () => rm(home.lockFile, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const running = await findSupervisor(home);
    if (running !== undefined) throw new AlreadyRunning(running, home.directory);
    await removeStale(home);
  }
}

/** Creates the file through a link, which appears with its complete content and fails where a file exists. */
async function createWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes a stale lock. If two starts saw it, the second must not remove the lock that the first has just taken. */
async function removeStale(home: Home): Promise<void> {
  const aside = `${home.lockFile}.${process.pid}.stale`;
  try {
    await rename(home.lockFile, aside);
  } catch {
    return;
  }
  const moved = JSON.parse(await readFile(aside, 'utf8').catch(() => '{}')) as ProcessIdentity;
  if (isRunning(moved)) await link(aside, home.lockFile).catch(() => undefined);
  await rm(aside, { force: true });
}

/**
 * Ends the processes that an earlier run left running.
 * @returns their names
 */
export async function endLeftovers(home: Home): Promise<string[]> {
  const record = await readJson<RunRecord>(home.runFile);
  const ended: string[] = [];
  for (const child of record?.children ?? []) {
    const signal = child.name === 'postgres' ? 'SIGINT' : 'SIGTERM';
    if (await endLeftover(child, { signal, deadlineMs: 5_000 })) ended.push(child.name);
  }
  return ended;
}

export async function writeRunRecord(home: Home, record: RunRecord): Promise<void> {
  await replaceJson(home.runFile, record);
}
