import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedDirectory } from '@rubrica/testkit/postgres';
import { expect, test } from 'vitest';
import { homeAt, makeHome } from '../src/setup/home.ts';
import { removeAbandonedData, removeHome } from '../src/stack/data-home.ts';
import { startStack } from '../src/stack/start-stack.ts';
import { temporaryHome } from './helpers.ts';

const asRoot = process.getuid?.() === 0;
const reason = 'only root keeps data outside the home';
const there = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

async function dataOf(id: string, home: string): Promise<string> {
  const path = join(sharedDirectory, 'stacks', id);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'home'), `${home}\n`);
  return path;
}

test('data whose home was deleted are removed; those of a home, or of an absent disk, stay', async ({
  skip,
}) => {
  skip(!asRoot, reason);
  await using home = await temporaryHome();
  await makeHome(homeAt(home.path));
  await writeFile(homeAt(home.path).settingsFile, JSON.stringify({ id: 'test-living' }));
  const paths = {
    living: await dataOf('test-living', home.path),
    replaced: await dataOf('test-replaced', home.path),
    deleted: await dataOf('test-deleted', join(home.root, 'gone')),
    unmounted: await dataOf('test-unmounted', '/media/no-such-disk/project/.rubrica'),
  };
  await removeAbandonedData();
  const left = Object.fromEntries(
    await Promise.all(Object.entries(paths).map(async ([name, path]) => [name, await there(path)])),
  );
  await rm(paths.unmounted, { recursive: true });
  expect(left).toEqual({ living: true, replaced: false, deleted: false, unmounted: true });
});

test('a removed home takes its data elsewhere with it', async ({ skip }) => {
  skip(!asRoot, reason);
  await using home = await temporaryHome();
  await makeHome(homeAt(home.path));
  await writeFile(homeAt(home.path).settingsFile, JSON.stringify({ id: 'test-removed' }));
  const data = await dataOf('test-removed', home.path);
  await removeHome(homeAt(home.path));
  expect([await there(data), await there(home.path)]).toEqual([false, false]);
});

test('data of a version that nothing can read any more are left alone, and the way out is named', async () => {
  await using home = await temporaryHome();
  const { settingsFile, postgres, nats } = homeAt(home.path);
  await makeHome(homeAt(home.path));
  // What is sealed there is bound to no purpose; what is signed there is signed by the identity key.
  for (const settings of [{ id: 'test-older' }, { id: 'test-older', dataVersion: 2 }]) {
    await writeFile(settingsFile, JSON.stringify(settings));
    await expect(startStack({ home: home.path })).rejects.toThrow(
      new RegExp(`^The data in ${home.path} was made by another state .* "npm run reset" removes it\\.$`),
    );
  }
  expect(await there(postgres)).toBe(false);
  expect(await readdir(nats)).toEqual([]);
});
