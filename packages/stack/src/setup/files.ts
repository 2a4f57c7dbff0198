import { chmod, readFile, rename, writeFile } from 'node:fs/promises';

/** Replaces the file in one step: a reader sees the old content or the new, never half of it. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode: number = 0o600,
): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, content, { mode: 0o600 });
  // What a stricter umask would take away, the group needs.
  await chmod(draft, mode);
  await rename(draft, path);
}

export async function replaceJson(path: string, value: unknown): Promise<void> {
  await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Undefined when there is no such file, or when a crash left it unreadable. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
