import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const row = /^\| (?<keys>[^|]+?) +\| (?<deed>[^|]+?) +\| `(?<test>[^`]+)` +\| `(?<name>[^`]+)` +\|/gm;

const rows = async () => {
  const text = await readFile(join(root, 'packages/acceptance/README.md'), 'utf8');
  const [, section = ''] = text.split('## Attacks\n');
  const table = section.split('\n## ')[0] ?? '';
  return [...table.matchAll(row)].map(
    ({ groups }) => groups as { keys: string; deed: string; test: string; name: string },
  );
};

/** Of `it`, `test` or `describe`, also behind `.each(…)`. */
function namesIn(text: string): string[] {
  const quoted = /(?:\b(?:it|test|describe)\(|\)\()\s*(?<quote>['"])(?<name>(?:(?!\k<quote>).)+)\k<quote>,/g;
  return [...text.matchAll(quoted)].map(({ groups }) => groups?.name ?? '');
}

it('every row of the table of attacks names a test that is there, and no two rows are the same', async () => {
  const all = await rows();
  const missing: string[] = [];
  for (const { keys, deed, test, name } of all) {
    const names = namesIn(await readFile(join(root, test), 'utf8').catch(() => ''));
    if (!names.some((one) => one.includes(name))) missing.push(`${keys}: ${deed}: ${test}: ${name}`);
  }
  expect(missing).toEqual([]);
  expect(new Set(all.map(({ keys, deed }) => `${keys}: ${deed}`)).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(12);
});
