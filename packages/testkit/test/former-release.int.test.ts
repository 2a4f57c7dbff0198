import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formerRelease, hasFormerRelease, putInPlace } from '../src/former-release.ts';

// A clone without history has none.
it.skipIf(!hasFormerRelease())(
  'the former release is checked out as it was, with its packages (not in a shallow clone)',
  async () => {
    const { folder, version } = await formerRelease();
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'rubrica', version });
    expect(existsSync(join(folder, 'node_modules/@rubrica/contracts/package.json'))).toBe(true);
  },
);

it('of two that check it out at once the first is kept', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'rubrica-release-'));
  const folder = join(place.path, 'release');
  for (const name of ['first', 'second']) {
    const draft = join(place.path, `draft-${name}`);
    await mkdir(draft);
    await writeFile(join(draft, name), '');
    await putInPlace(draft, folder);
  }
  expect(await readdir(folder)).toEqual(['first']);
  await expect(putInPlace(join(place.path, 'none'), join(place.path, 'no/folder'))).rejects.toThrow('ENOENT');
});
