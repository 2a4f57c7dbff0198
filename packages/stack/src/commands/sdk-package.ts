import { spawn } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../setup/home.ts';

/**
 * Packs the SDK for the documentation to offer it, in a process of its own that gives way to the services and ends with this
 * one. The file is whole once it has its name.
 * @param file where to put it
 * @returns whether it was made
 */
export async function packSdk(file: string): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [join(projectRoot, 'packages/pack/src/main.ts'), 'tarball', dirname(file)],
    { cwd: join(projectRoot, 'packages/sdk'), stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const end = () => child.kill();
  process.once('exit', end);
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let printed = '';
    for await (const chunk of child.stdout) printed += String(chunk);
    const made = printed.trim();
    if (made === '') return false;
    await rename(made, file);
    return true;
  } catch {
    // It had ended before its priority was set, or the folder is gone: /docs says who hands the file out.
    return false;
  } finally {
    process.removeListener('exit', end);
  }
}
