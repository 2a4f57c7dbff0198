import { readdir, readFile } from 'node:fs/promises';
import type { Migration } from './migration.ts';

/** Reads `*.sql` of a folder as migrations named like their files. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: await readFile(new URL(file, folder.href.endsWith('/') ? folder : `${folder.href}/`), 'utf8'),
    })),
  );
}
