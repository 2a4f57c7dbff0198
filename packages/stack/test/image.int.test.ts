import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { projectRoot } from '../src/setup/home.ts';
import { serviceNames } from '../src/setup/services.ts';

const tellsOfStripper =
  'data:text/javascript,process.on("exit",()=>console.log(process.moduleLoadList.some((name)=>name.includes("amaro"))))';

/** As the Dockerfile compiles a service: without settings it ends as soon as all of it is loaded. */
async function startWithoutSettings(service: string, cache: string) {
  const child = spawn(process.execPath, [`--import=${tellsOfStripper}`, 'src/main.ts'], {
    cwd: join(projectRoot, 'apps', service),
    env: { NODE_ENV: 'production', NODE_COMPILE_CACHE: cache, NODE_OPTIONS: '--max-semi-space-size=8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, stripsTypes: said.trim().endsWith('true') };
}

test.each(serviceNames)('an image of %s has compiled all that its start loads', async (service) => {
  await using cache = await mkdtempDisposable(join(tmpdir(), 'rubrica-image-'));
  expect(await startWithoutSettings(service, cache.path)).toEqual({ code: 78, stripsTypes: true });
  expect(await startWithoutSettings(service, cache.path)).toEqual({ code: 78, stripsTypes: false });
});
