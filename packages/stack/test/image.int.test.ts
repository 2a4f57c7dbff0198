import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtempDisposable, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { builtServices } from '@rubrica/build';
import { expect, test } from 'vitest';
import { deployables, readDeployableSettings } from '../src/deploy/read-deployable-settings.ts';
import { projectRoot } from '../src/setup/home.ts';

const tellsOfStripper =
  'data:text/javascript,process.on("exit",()=>console.log(process.moduleLoadList.some((name)=>name.includes("amaro"))))';

/** As the Dockerfile compiles a service: without settings it ends as soon as all of it is loaded. */
async function startWithoutSettings(folder: string, cache: string) {
  const child = spawn(
    process.execPath,
    ['--heap-growing-percent=200', `--import=${tellsOfStripper}`, 'main.mjs'],
    {
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        NODE_COMPILE_CACHE: cache,
        NODE_OPTIONS: '--expose-gc --max-semi-space-size=8',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const compiled = (await readdir(cache, { recursive: true })).length;
  return { code, stripsTypes: said.trim().endsWith('true'), compiled };
}

test.each(deployables)('an image of %s has compiled all that its start loads', async (service) => {
  await using image = await mkdtempDisposable(join(tmpdir(), 'rubrica-image-'));
  const app = join(image.path, 'app');
  await cp((await builtServices())[service], app, { recursive: true });
  await symlink(join(projectRoot, 'node_modules'), join(app, 'node_modules'));
  const first = await startWithoutSettings(app, join(image.path, 'cache'));
  expect(first).toEqual({ code: 78, stripsTypes: false, compiled: expect.any(Number) });
  expect(first.compiled).toBeGreaterThan(3);
  expect(await startWithoutSettings(app, join(image.path, 'cache'))).toEqual(first);
});

test('the Dockerfile names no file of ours that is absent, and none that is kept from it', async () => {
  const read = (name: string) => readFile(join(projectRoot, 'deploy', name), 'utf8');
  const recipe = await read('Dockerfile');
  const named = [...new Set(recipe.match(/\b(?:deploy|packages)\/[\w./-]+\.\w+\b/g))].sort();
  expect(named).toContain('deploy/turbo-of-lock.mjs');
  expect(named).toContain('packages/build/src/main.ts');
  expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  const kept = (await read('Dockerfile.dockerignore')).split('\n');
  expect(kept).toEqual(expect.arrayContaining(['!deploy/*.mjs', '!packages', '!apps', '!package-lock.json']));
});

test('the image of the gateway has the documentation where the gateway looks for it', async () => {
  const recipe = await readFile(join(projectRoot, 'deploy', 'Dockerfile'), 'utf8');
  const [, folder = ''] =
    /packages\/build\/src\/main\.ts --root \/app docs=\/built\/(\S+)/.exec(recipe) ?? [];
  const { running } = await readDeployableSettings('gateway');
  expect(running.find(({ env }) => env === 'DOCS_SITE')?.default).toBe(folder);
  await using image = await mkdtempDisposable(join(tmpdir(), 'rubrica-image-'));
  const build = join(projectRoot, 'packages/build/src/main.ts');
  await promisify(execFile)(process.execPath, [
    build,
    '--root',
    projectRoot,
    `docs=${join(image.path, folder)}`,
  ]);
  for (const variant of ['production', 'sandbox'])
    expect(existsSync(join(image.path, folder, variant, 'site.json'))).toBe(true);
});

test('turbo is installed for an image in the version and by the checksum of the lock file', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'rubrica-turbo-'));
  const script = spawn(process.execPath, ['deploy/turbo-of-lock.mjs', '.', folder.path], {
    cwd: projectRoot,
  });
  const [code] = await once(script, 'close');
  expect(code).toBe(0);
  const lock = async (path: string) => JSON.parse(await readFile(join(path, 'package-lock.json'), 'utf8'));
  const [ours, made] = await Promise.all([lock(projectRoot), lock(folder.path)]);
  const { version, integrity } = ours.packages['node_modules/turbo'];
  expect(made.packages['node_modules/turbo']).toMatchObject({ version, integrity });
  expect(made.packages['node_modules/@turbo/linux-64'].integrity).toMatch(/^sha512-/);
});
