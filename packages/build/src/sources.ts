import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

export const thisCheckout = resolve(import.meta.dirname, '..', '..', '..');

/** Parts of a workspace that are built, or copied beside the result. */
const parts = ['src', 'data', 'migrations', 'programs', 'package.json'];

/** Lists folders and files that a workspace is built from: its own, and those of the packages that it imports. */
export function watchedPaths(root: string, workspace: string): string[] {
  const folders = new Set([join(root, workspace)]);
  for (const folder of folders) {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    for (const name of Object.keys(dependencies ?? {})) {
      if (name.startsWith('@rubrica/')) folders.add(join(root, 'packages', name.slice('@rubrica/'.length)));
    }
  }
  return [...folders].flatMap((folder) => parts.map((part) => join(folder, part)));
}

/** Checks if the fingerprint covers a path; it covers libraries through the lock file. */
export function isWatched(path: string, watched: readonly string[]): boolean {
  const isLibrary = path.split(sep).includes('node_modules') || path.startsWith('\0');
  return isLibrary || watched.some((place) => path === place || path.startsWith(place + sep));
}

/** Hashes names, sizes and times of the sources: to read all files takes longer than a start should wait for. */
export function fingerprint(root: string, workspace: string): string {
  const hash = createHash('sha256').update(process.version);
  const places = [join(root, 'package-lock.json'), import.meta.dirname, ...watchedPaths(root, workspace)];
  for (const path of places.flatMap(filesAt)) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function filesAt(place: string): string[] {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [place];
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
