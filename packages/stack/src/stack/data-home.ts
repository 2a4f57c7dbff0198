import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sharedDirectory } from '@rubrica/testkit/postgres';
import { readJson } from '../setup/files.ts';
import { exists, type Home, homeAt } from '../setup/home.ts';
import type { StackSettings } from '../setup/settings.ts';

const stacks = join(sharedDirectory, 'stacks');

/** Returns the folder of PostgreSQL's data: in the home, or for root a folder that PostgreSQL's own user may enter. */
export function dataHome(home: Home, settings: Pick<StackSettings, 'id'>): string {
  return process.getuid?.() === 0 ? join(stacks, settings.id) : home.postgres;
}

/**
 * Removes a home without a running stack, and its data elsewhere. PostgreSQL's programs are removed too, once no other
 * home on this machine uses them.
 */
export async function removeHome(home: Home): Promise<void> {
  const settings = await readJson<StackSettings>(home.settingsFile);
  if (settings !== undefined)
    await rm(dataHome(home, settings), { recursive: true, force: true, maxRetries: 5 });
  await rm(home.directory, { recursive: true, force: true, maxRetries: 5 });
  if (process.getuid?.() !== 0) return;
  await rmdir(stacks).catch(() => undefined);
  const left = await readdir(sharedDirectory).catch(() => []);
  if (left.every((name) => name.startsWith('postgresql-')))
    await rm(sharedDirectory, { recursive: true, force: true });
}

/**
 * Removes data whose home was deleted by hand, which can never be used again. Only root keeps data apart from their
 * home.
 */
export async function removeAbandonedData(): Promise<void> {
  if (process.getuid?.() !== 0) return;
  for (const id of await readdir(stacks).catch(() => [])) {
    const directory = await readFile(join(stacks, id, 'home'), 'utf8').catch(() => '');
    if (await isAbandoned(directory.trim(), id)) await rm(join(stacks, id), { recursive: true, force: true });
  }
}

/**
 * Checks if no home refers to these data. A home on an unmounted disk has no parent folder either, and keeps its data.
 */
async function isAbandoned(directory: string, id: string): Promise<boolean> {
  if (directory === '') return false;
  const transient = [tmpdir(), sharedDirectory].some((folder) => directory.startsWith(`${folder}/`));
  if (!(await exists(directory))) return transient || exists(dirname(directory));
  const settings = await readJson<StackSettings>(homeAt(directory).settingsFile);
  return settings !== undefined && settings.id !== id;
}
