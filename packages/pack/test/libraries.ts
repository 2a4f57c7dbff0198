import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
export const top = join(import.meta.dirname, '../../..');

/** What others install. */
export const libraries = ['sdk', 'operators-client'] as const;

/** Packs a library without touching its folder. Gives the tarball's path. */
export async function packed(library: (typeof libraries)[number], target: string): Promise<string> {
  const main = join(top, 'packages/pack/src/main.ts');
  const { stdout } = await run(process.execPath, [main, 'tarball', target], {
    cwd: join(top, 'packages', library),
  });
  return stdout.trim();
}

/** Names of the files in a tarball. */
export async function namesIn(tarball: string): Promise<string[]> {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  return stdout.trim().split('\n').sort();
}
