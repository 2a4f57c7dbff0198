import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@rubrica/contracts/rest/operations';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const row = /^\| [^|]+ \| `(?<method>[A-Z]+) (?<path>\/[^`]*)` +\| \[`[^`]+`\]\((?<test>[^)]+)\) +\|$/gm;

const rows = async () => {
  const [, section = ''] = (await readFile(join(root, 'README.md'), 'utf8')).split('## Every operation\n');
  const table = section.split('\n## ')[0] ?? '';
  return [...table.matchAll(row)].map(
    ({ groups }) => groups as { method: string; path: string; test: string },
  );
};

it('the README names every operation at its address', async () => {
  const served = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
  const named = (await rows()).map(({ method, path }) => `${method} ${path}`);
  expect(named.toSorted()).toEqual(served.toSorted());
});

it('the test that the README names for an operation makes its call, by address or by id', async () => {
  for (const { method, path, test } of await rows()) {
    const [id] =
      Object.entries(operations).find((one) => one[1].method === method && one[1].path === path) ?? [];
    const text = await readFile(join(root, test), 'utf8');
    expect(text.includes(path) || text.includes(`'${id}'`), `${test} for ${method} ${path}`).toBe(true);
  }
});
