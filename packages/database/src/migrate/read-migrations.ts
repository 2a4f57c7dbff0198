import { readdir, readFile } from 'node:fs/promises';
import type { Migration } from './migration.ts';

const alone = '-- without transaction\n';

/** Reads `*.sql` of a folder as migrations named like their files; one that begins with `-- without transaction` is run so. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const url = new URL(file, folder.href.endsWith('/') ? folder : `${folder.href}/`);
      const sql = await readFile(url, 'utf8');
      const name = file.slice(0, -'.sql'.length);
      return sql.startsWith(alone) ? { name, sql, withoutTransaction: true } : { name, sql };
    }),
  );
}
