import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { InvalidMigrations, sortMigrations } from './migration.ts';
import { readMigrations } from './read-migrations.ts';

const step = (name: string, sql = 'select 1') => ({ name, sql });

test('migrations are put in the order of their names', () => {
  const steps = [step('20260201000000_b'), step('20260101000000_z'), step('20260101000000_a')];
  expect(sortMigrations(steps).map(({ name }) => name)).toEqual([
    '20260101000000_a',
    '20260101000000_z',
    '20260201000000_b',
  ]);
});

test.each([
  [[step('initial')], 'names are yyyymmddhhmmss_slug'],
  [[step('20260101000000_Initial')], 'names are yyyymmddhhmmss_slug'],
  [[step("20260101000000_a'b")], 'names are yyyymmddhhmmss_slug'],
  [[step('20260101000000_a'), step('20260101000000_a')], 'is there twice'],
  [[step('20260101000000_a', ' \n')], 'is empty'],
])('%j is refused', (steps, reason) => {
  expect(() => sortMigrations(steps)).toThrow(InvalidMigrations);
  expect(() => sortMigrations(steps)).toThrow(reason);
});

test('SQL files of a folder are migrations named like them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations '));
  await writeFile(join(folder, '20260101000000_a.sql'), 'select 1;');
  await writeFile(join(folder, 'README.md'), 'not a migration');
  expect(await readMigrations(pathToFileURL(folder))).toEqual([step('20260101000000_a', 'select 1;')]);
  await rm(folder, { recursive: true });
});

test('a file that says so is run without a transaction', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations '));
  const sql = '-- without transaction\ncreate index concurrently a on b (c);';
  await writeFile(join(folder, '20260101000000_a.sql'), sql);
  expect(await readMigrations(pathToFileURL(folder))).toEqual([
    { ...step('20260101000000_a', sql), withoutTransaction: true },
  ]);
  await rm(folder, { recursive: true });
});

async function readText(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'migrations '));
  try {
    await writeFile(join(folder, '20260101000000_a.sql'), text);
    return await readMigrations(pathToFileURL(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a file may hold several migrations, each below its name', async () => {
  const sql = '-- without transaction\ncreate index concurrently a on b (c);\n';
  expect(
    await readText(
      `-- Since the release.\n\n-- migration 20260101000000_b\nselect 1;\n\n-- migration 20260102000000_c\n${sql}`,
    ),
  ).toEqual([
    step('20260101000000_b', 'select 1;\n'),
    { ...step('20260102000000_c', sql), withoutTransaction: true },
  ]);
});

test('a statement above the first name is refused', async () => {
  await expect(readText('select 0;\n-- migration 20260101000000_b\nselect 1;')).rejects.toThrow(
    InvalidMigrations,
  );
});

test('a migration names those that it replaces', async () => {
  const sql = '-- replaces 20260101000000_x\n-- replaces 20260102000000_y\nselect 1;';
  expect(await readText(sql)).toEqual([
    { ...step('20260101000000_a', sql), replaces: ['20260101000000_x', '20260102000000_y'] },
  ]);
});
