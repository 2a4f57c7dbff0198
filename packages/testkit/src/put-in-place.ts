import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';

/** Renames a folder to its final path. If another test has created that path meanwhile, its folder stays. */
export async function replaceFile(draft: string, folder: string): Promise<void> {
  await rename(draft, folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
  });
}
