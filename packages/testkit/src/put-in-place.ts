import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';

/** Renames a folder that was made beside its place. Where another test has put its own there meanwhile, that one stays. */
export async function putInPlace(draft: string, folder: string): Promise<void> {
  await rename(draft, folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
  });
}
