import { execFile } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { scratchDirectory } from '@rubrica/testkit';

const run = promisify(execFile);

export interface SmallDisk extends AsyncDisposable {
  /** Fills all remaining space. */
  fill(): Promise<void>;
  /** Frees the space. */
  free(): Promise<void>;
}

/**
 * Moves a folder of a stopped server to its own file system, which has little spare room. Its path remains, as a link.
 *
 * Needs root, because it mounts a `tmpfs`.
 */
export async function moveToSmallDisk(folder: string, { spareMb }: { spareMb: number }): Promise<SmallDisk> {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(await scratchDirectory('small-disk'));
  const { stdout } = await run('du', ['-sm', folder]);
  const sizeMb = Number.parseInt(stdout, 10) + spareMb;
  const mount = join(path, 'disk');
  await mkdir(mount, { mode: 0o755 });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`, 'tmpfs', mount]);
  resources.defer(async () => {
    await run('umount', ['-l', mount]);
  });
  const moved = join(mount, basename(folder));
  await run('cp', ['-a', folder, moved]);
  await rm(folder, { recursive: true });
  await symlink(moved, folder);
  const filler = join(mount, 'filler');
  const owned = resources.move();
  return {
    async fill() {
      // Writes until it fails: the server beside it uses and frees room all the time.
      await run('sh', ['-c', 'cat /dev/zero > "$0" || true', filler]);
    },
    free: () => rm(filler),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
