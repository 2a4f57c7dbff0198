import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAuthorityNames } from './authority-names.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'authority-names-'));
});
afterEach(() => rm(folder, { recursive: true }));

const root = { name: 'root', kind: 'root', activeFrom: null };
const from = (name: string, activeFrom: Date) => ({
  name,
  kind: 'issuing',
  activeFrom: activeFrom.toISOString(),
});
const put = (file: string, ...authorities: object[]) =>
  writeFile(join(folder, file), JSON.stringify({ authorities }));

describe('the names of the authorities', () => {
  it('come from the newest file: the one that signs now, not the one that will', async () => {
    const [first, second, third] = [
      from('issuing', new Date(0)),
      from('issuing-2', new Date(Date.now() - 60_000)),
      from('issuing-3', new Date(Date.now() + 600_000)),
    ];
    await put('authorities.json', root, first);
    expect(await readAuthorityNames(folder)).toEqual({ root: 'root', issuing: 'issuing' });
    await put('authorities-9.json', root, first);
    await put('authorities-10.json', root, first, third, second);
    expect(await readAuthorityNames(folder)).toEqual({ root: 'root', issuing: 'issuing-2' });
  });

  it('are those of the first authority where there is no file yet, or one of the first releases', async () => {
    const names = { root: 'root', issuing: 'issuing' };
    expect(await readAuthorityNames(join(folder, 'absent'))).toEqual(names);
    await put('authorities.json', { name: 'root', kind: 'root' }, { name: 'issuing', kind: 'issuing' });
    expect(await readAuthorityNames(folder)).toEqual(names);
  });
});
