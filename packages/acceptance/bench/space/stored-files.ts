import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What has ended goes into the store at once. */
export const moving = { EVIDENCE_MOVE_AFTER: 'end', EVIDENCE_MOVE_MB_PER_SECOND: '1000' };

/** Octets of all files below. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    // A file that is gone since takes nothing.
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
