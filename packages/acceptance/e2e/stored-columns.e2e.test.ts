import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { queryStack } from './support/ledger.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

/** `SECURITY.md` says of every column of all four databases what it decides, and what protects it. */
const scene = await closeAfterAll(joinScene());

const schemas = ['intake', 'generation', 'notifier', 'terms'];
const row = /^\| (?<tables>`[^|]+`) +\| (?<columns>[^|]+?) +\|(?:(?<rest>.*)\|)?$/gm;
const quoted = /`([^`]+)`/g;

async function listed(section: string): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, '../../../SECURITY.md'), 'utf8');
  const [, after] = text.split(`### ${section}\n`);
  if (after === undefined) throw new Error(`SECURITY.md has no section ${section}`);
  const [body = ''] = after.split(/^#{2,3} /m);
  return [...body.matchAll(row)].flatMap(({ groups = {} }) => {
    const names = (cell = '') => [...cell.matchAll(quoted)].map(([, name]) => name);
    return names(groups.tables).flatMap((table) =>
      names(groups.columns).map((column) => `${table}.${column}`),
    );
  });
}

async function stored(): Promise<string[]> {
  const rows = await queryStack<{ name: string }>(
    scene.stack,
    `select table_schema || '.' || table_name || '.' || column_name as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema = any($1)`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

it('every column of every database is listed once, as one that decides or as one that does not', async () => {
  const names = [...(await listed('Columns that decide')), ...(await listed('Columns that decide nothing'))];
  const columns = await stored();
  const of = (known: readonly string[]) => (name: string) => !known.includes(name);
  expect({
    'in the database and not in SECURITY.md': columns.filter(of(names)).sort(),
    'in SECURITY.md and not in the database': names.filter(of(columns)).sort(),
    'listed twice': names.filter((name, index) => names.indexOf(name) !== index).sort(),
  }).toEqual({
    'in the database and not in SECURITY.md': [],
    'in SECURITY.md and not in the database': [],
    'listed twice': [],
  });
  expect(columns.length).toBeGreaterThan(400);
});

it('every column that decides says what it decides and what protects it', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../SECURITY.md'), 'utf8');
  const [, after = ''] = text.split('### Columns that decide\n');
  const [body = ''] = after.split(/^#{2,3} /m);
  const cells = [...body.matchAll(row)].map(({ groups = {} }) => (groups.rest ?? '').split('|'));
  expect(cells.length).toBeGreaterThan(20);
  for (const [decides = '', protectedBy = ''] of cells)
    expect([decides.trim().length > 5, protectedBy.trim().length > 5]).toEqual([true, true]);
});
