import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtempDisposable, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtServices } from '@rubrica/build';
import { expect, test } from 'vitest';
import { deployables } from '../src/deploy/settings-of.ts';
import { projectRoot } from '../src/setup/home.ts';

const tellsOfStripper =
  'data:text/javascript,process.on("exit",()=>console.log(process.moduleLoadList.some((name)=>name.includes("amaro"))))';

/** As the Dockerfile compiles a service: without settings it ends as soon as all of it is loaded. */
async function startWithoutSettings(folder: string, cache: string) {
  const child = spawn(process.execPath, [`--import=${tellsOfStripper}`, 'main.mjs'], {
    cwd: folder,
    env: { NODE_ENV: 'production', NODE_COMPILE_CACHE: cache, NODE_OPTIONS: '--max-semi-space-size=8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
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
