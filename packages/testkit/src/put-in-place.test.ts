import { mkdir, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from './put-in-place.ts';

it('of two checkouts that are made at once the first is kept', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'rubrica-release-'));
  const folder = join(place.path, 'release');
  for (const name of ['first', 'second']) {
    const draft = join(place.path, `draft-${name}`);
    await mkdir(draft);
    await writeFile(join(draft, name), '');
    await replaceFile(draft, folder);
  }
  expect(await readdir(folder)).toEqual(['first']);
  await expect(replaceFile(join(place.path, 'none'), join(place.path, 'no/folder'))).rejects.toThrow(
    'ENOENT',
  );
});
