import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removeOldBuilds } from './old-builds.ts';
import { fingerprint, thisCheckout } from './sources.ts';

const run = promisify(execFile);

/**
 * Returns the folder of the built documentation of this checkout's sources. It exists once `buildDocsSite` has built
 * it.
 */
export function docsSiteFolder(): string {
  return join(thisCheckout, 'packages', 'docs', 'dist', fingerprint(thisCheckout, 'packages/docs'));
}

export interface DocsSiteOptions {
  /** True to run with lower priority than other processes. */
  readonly inBackground?: boolean;
}

/**
 * Builds the documentation unless it was built from the current sources.
 * @returns its folder
 */
export async function buildDocsSite({ inBackground = false }: DocsSiteOptions = {}): Promise<string> {
  const folder = docsSiteFolder();
  if (!existsSync(folder)) await build(folder, inBackground);
  const now = new Date();
  await utimes(folder, now, now);
  return folder;
}

/**
 * Builds in a temporary folder and renames it, so that a folder with its name is complete: several processes may build
 * at once.
 */
async function build(folder: string, inBackground: boolean): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(join(dirname(folder), 'unfinished-'));
  const main = join(import.meta.dirname, 'main.ts');
  try {
    const building = run(process.execPath, [main, '--root', thisCheckout, `docs=${unfinished}`]);
    if (inBackground && building.child.pid !== undefined)
      setPriority(building.child.pid, constants.priority.PRIORITY_LOW);
    await building;
    await rename(unfinished, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
    await removeOldBuilds(dirname(folder));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
