import { chmod, readFile, rename, writeFile } from 'node:fs/promises';

/** Replaces the file atomically: a reader sees the old or the new content, never a part of it. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode: number = 0o600,
): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, content, { mode: 0o600 });
  // Restores the group's permissions, which a stricter umask would remove.
  await chmod(draft, mode);
  await rename(draft, path);
}

export async function replaceJson(path: string, value: unknown): Promise<void> {
  await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Reads a JSON file; undefined if it does not exist or a crash left it unreadable. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
