import { spawn } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../setup/home.ts';

/**
 * Packs the SDK, so that the documentation can offer it for download. Packing runs in its own low-priority process,
 * which ends with this one. The file is complete as soon as it has its name.
 * @param file path of the package
 * @returns true if the package was made
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
    // The process ended before its priority was set, or the folder is gone. /docs then says who provides the file.
    return false;
  } finally {
    process.removeListener('exit', end);
  }
}
