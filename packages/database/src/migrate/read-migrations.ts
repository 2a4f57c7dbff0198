import { readdir, readFile } from 'node:fs/promises';
import { InvalidMigrations, type Migration } from './migration.ts';

const alone = '-- without transaction\n';
const stepLine = /^-- migration (\S+)\n/m;
const replacesLine = /^-- replaces (?<name>\S+)$/gm;

/**
 * Reads the `*.sql` files of a folder. A file is one migration with its name, or several, each after a line `--
 * migration <name>`. A migration that begins with `-- without transaction` runs without one; lines `-- replaces <name>`
 * name the migrations that it replaces.
 * @throws InvalidMigrations if a statement precedes the first name
 */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const read = files.map(async (file) => {
    const url = new URL(file, folder.href.endsWith('/') ? folder : `${folder.href}/`);
    return splitMigrations(file.slice(0, -'.sql'.length), await readFile(url, 'utf8'));
  });
  return (await Promise.all(read)).flat();
}

function splitMigrations(name: string, text: string): Migration[] {
  const [head = '', ...steps] = text.split(stepLine);
  if (steps.length === 0) return [toMigration(name, text)];
  if (head.replaceAll(/^--.*$/gm, '').trim() !== '')
    throw new InvalidMigrations(`${name}: a statement stands above the first migration`);
  return steps.flatMap((step, index) =>
    index % 2 === 0 ? [toMigration(step, `${(steps[index + 1] ?? '').trim()}\n`)] : [],
  );
}

function toMigration(name: string, sql: string): Migration {
  const replaces = Array.from(sql.matchAll(replacesLine), ({ groups }) => groups?.name ?? '');
  return {
    name,
    sql,
    ...(sql.startsWith(alone) && { withoutTransaction: true }),
    ...(replaces.length > 0 && { replaces }),
  };
}
