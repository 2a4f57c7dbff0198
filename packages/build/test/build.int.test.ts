import { execFile } from 'node:child_process';
import { mkdir, mkdtempDisposable, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { buildDocsSite, builtServices, docsSiteFolder } from '../src/index.ts';
import { programs, type Service } from '../src/programs.ts';

const run = promisify(execFile);
const services = Object.keys(programs) as Service[];

/** A checkout whose services do nothing, but for what a test makes of the gateway. */
async function makeCheckout(gateway: Readonly<Record<string, string>> = {}) {
  const made = await mkdtempDisposable(join(await realpath(tmpdir()), 'rubrica-build-'));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(made.path, path)), { recursive: true });
    await writeFile(join(made.path, path), text);
  };
  await write('package-lock.json', '{}');
  await write('packages/password-screen/package.json', '{}');
  for (const service of services) {
    await write(`apps/${service}/package.json`, '{"dependencies":{"@rubrica/password-screen":"*"}}');
    for (const source of Object.values(programs[service])) await write(`apps/${service}/src/${source}`, '');
  }
  for (const [path, text] of Object.entries(gateway)) await write(`apps/gateway/src/${path}`, text);
  return { root: made.path, write, [Symbol.asyncDispose]: () => made.remove() };
}

const firstLine = async (folder: string, ...options: string[]) => {
  const { stdout } = await run(process.execPath, [...options, join(folder, 'main.mjs')], { env: {} });
  return stdout;
};

describe('the built services', () => {
  test('need their sources no more: files that they start or read lie beside them', async () => {
    await using checkout = await makeCheckout({
      'main.ts': `import { readFileSync } from 'node:fs';
        import { threadUrl } from '../../../packages/password-screen/src/thread-url.ts';
        const text: string = readFileSync(new URL('./texts/hello.txt', import.meta.url), 'utf8');
        await import(threadUrl.href);
        console.log(text);`,
      'texts/hello.txt': 'hello',
      '../../../packages/password-screen/src/thread-url.ts': `export const threadUrl = new URL('./screening-thread.ts', import.meta.url);`,
      '../../../packages/password-screen/src/screening-thread.ts': `console.log('thread');`,
    });
    const { gateway } = await builtServices(checkout);
    await rm(join(checkout.root, 'apps/gateway/src'), { recursive: true });
    await rm(join(checkout.root, 'packages/password-screen/src'), { recursive: true });
    expect(await firstLine(gateway)).toBe('thread\nhello\n');
  });

  test('keep names of classes that two files have, and say the lines of sources when they are asked to', async () => {
    await using checkout = await makeCheckout({
      'main.ts': `import { Other } from './other.ts';
        interface Named { readonly name: string }
        class Fault extends Error {}
        console.log(Fault.name, Other.name, new Fault().stack);`,
      'other.ts': `class Fault extends Error {}\nexport { Fault as Other };`,
    });
    const { gateway } = await builtServices(checkout);
    expect(await firstLine(gateway)).toMatch(/^Fault Fault Error\n +at .*main\.mjs:/);
    expect(await firstLine(gateway, '--enable-source-maps')).toMatch(
      /^Fault Fault Error\n +at .*main\.ts:4:/,
    );
  });

  test('are not built where a source finds a file in a way that a built one cannot', async () => {
    await using checkout = await makeCheckout({ 'main.ts': `console.log(import.meta.dirname);` });
    await expect(builtServices(checkout)).rejects.toThrow(/gateway\/src\/main\.ts finds a file/);
    expect(await readdir(join(checkout.root, 'apps/gateway/dist'))).toEqual([]);
  });

  test('are not built of a file whose changes nobody would see', async () => {
    await using checkout = await makeCheckout({ 'main.ts': `import '../test/helper.ts';` });
    await checkout.write('apps/gateway/test/helper.ts', 'console.log();');
    await expect(builtServices(checkout)).rejects.toThrow(/test\/helper\.ts is built into gateway/);
  });
});

describe('a service', () => {
  let builds = 0;
  const onBuild = () => {
    builds += 1;
  };

  test('is built once for its sources, and again when one of them has changed', async () => {
    await using checkout = await makeCheckout();
    const build = () => builtServices({ root: checkout.root, onBuild });
    const first = await build();
    expect(await build()).toEqual(first);
    expect(builds).toBe(1);
    await checkout.write('apps/gateway/src/main.ts', `console.log('new');`);
    const second = await build();
    expect(builds).toBe(2);
    expect(await firstLine(second.gateway)).toBe('new\n');
    expect(second).toEqual({ ...first, gateway: second.gateway });
  });

  test('is whole for each of several builders at the same time', async () => {
    await using checkout = await makeCheckout({ 'main.ts': `console.log('whole');` });
    const all = await Promise.all([1, 2, 3].map(() => builtServices(checkout)));
    for (const { gateway } of all) expect(await firstLine(gateway)).toBe('whole\n');
    for (const service of services) {
      expect(await readdir(join(checkout.root, 'apps', service, 'dist'))).toHaveLength(1);
    }
  });
});

test('the documentation is built once for its sources, whole for each of several builders', async () => {
  const folders = await Promise.all([1, 2].map(() => buildDocsSite()));
  expect(folders).toEqual([docsSiteFolder(), docsSiteFolder()]);
  const site = join(docsSiteFolder(), 'production');
  const { files } = JSON.parse(await readFile(join(site, 'site.json'), 'utf8'));
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['/docs/en', '/docs/es/errors', '/llms.txt']));
  const { mtimeMs } = await stat(join(site, 'site.json'));
  await buildDocsSite({ inBackground: true });
  expect((await stat(join(site, 'site.json'))).mtimeMs).toBe(mtimeMs);
});
