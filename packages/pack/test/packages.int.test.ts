import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { libraries, namesIn, packed, run, top } from './libraries.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'packages-'));
});
afterAll(() => rm(home, { recursive: true }));

describe.each(libraries)('the package of %s', (library) => {
  let tarball: string;
  let data: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    tarball = await packed(library, home);
    data = new Uint8Array(await readFile(tarball));
  });

  it('is what publint asks of a package', async () => {
    const { messages } = await publint({ pack: { tarball: data.buffer } });
    expect(messages).toEqual([]);
  });

  it('has types that fit its JavaScript, however it is resolved', async () => {
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'what-is-wrong.ts'), tarball]);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('names its licence, its version and where its source is', async () => {
    const { stdout } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
    expect(JSON.parse(stdout)).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      license: 'SEE LICENSE IN LICENSE',
      repository: { type: 'git', directory: `packages/${library}` },
    });
    expect(await namesIn(tarball)).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/dist/esm/index.js']),
    );
  });

  it('is the same by a plain `npm pack`, which leaves the folder as it was', async () => {
    const copy = await mkdtemp(join(home, 'repository-'));
    for (const name of [
      'package.json',
      'tsconfig.base.json',
      'LICENSE',
      'packages/pack',
      `packages/${library}`,
    ])
      await cp(join(top, name), join(copy, name), {
        recursive: true,
        filter: (path) => !/node_modules|\.vitest/.test(path),
      });
    await symlink(join(top, 'node_modules'), join(copy, 'node_modules'));
    const folder = join(copy, 'packages', library);
    await run('npm', ['pack', '--pack-destination', copy], { cwd: folder });
    expect(await namesIn(join(copy, basename(tarball)))).toEqual(await namesIn(tarball));
    const { stdout: differences } = await run('diff', [
      '-r',
      folder,
      join(top, 'packages', library),
      '-x',
      'node_modules',
      '-x',
      '.vitest',
      '-x',
      '.turbo',
    ]);
    expect(differences).toBe('');
  });
});
