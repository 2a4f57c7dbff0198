import { execFile } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { builtServices } from '../src/index.ts';
import { programs, type Service } from '../src/programs.ts';

const run = promisify(execFile);

/** What each says as soon as it is loaded: most of them, that they have no settings. */
const says: Readonly<Record<string, { readonly args?: readonly string[]; readonly text: RegExp }>> = {
  main: { text: /^The configuration cannot be used/ },
  provision: { text: /ConfigError: The configuration cannot be used/ },
  'await-provisioned': { text: /ConfigError: The configuration cannot be used/ },
  doctor: { text: /^fault {2}settings {4}\w+ is required/ },
  'break-glass': { text: /ConfigError: The configuration cannot be used/ },
  evidence: { args: ['--help'], text: /^npm run evidence -w apps\/intake/ },
  'revoke-forgotten': { args: ['--help'], text: /^npm run revoke-forgotten/ },
  'verify-audit': { text: /could not look: The configuration cannot be used/ },
  ca: { args: ['--help'], text: /^npm run ca -- <step>/ },
  'file-checker': { text: /^The configuration cannot be used/ },
  'checker-main': { text: /ready/ },
};

const processes = (Object.keys(programs) as Service[]).flatMap((service) =>
  Object.keys(programs[service])
    .filter((program) => !program.endsWith('-thread'))
    .map((program) => ({ service, program })),
);

test.each(processes)('$service: $program is built and starts', async ({ service, program }) => {
  const { [service]: folder } = await builtServices();
  const { args = [], text } = says[program] ?? { text: /is in no table/ };
  const started = run(process.execPath, [join(folder, `${program}.mjs`), ...args], { env: {} });
  started.child.stdin?.end();
  const { stdout, stderr } = await started.catch((error) => error);
  expect(`${stdout}${stderr}`).toMatch(text);
});

test('gateway: screening-thread is built and starts', async () => {
  const { gateway } = await builtServices();
  const thread = new Worker(join(gateway, 'screening-thread.mjs'), { env: {}, execArgv: [] });
  expect(await once(thread, 'message')).toEqual(['ready']);
  await thread.terminate();
});

test('generation: background-thread is built and makes keys', async () => {
  const { generation } = await builtServices();
  const thread = new Worker(join(generation, 'background-thread.mjs'), { env: {}, execArgv: [] });
  thread.postMessage({ kind: 'ec', curve: 'P-256' });
  const [key] = await once(thread, 'message');
  expect(createPublicKey({ key: Buffer.from(key.spki), format: 'der', type: 'spki' }).asymmetricKeyType).toBe(
    'ec',
  );
  await thread.terminate();
});

/** Of all services. */
async function builtFiles(): Promise<Array<readonly [path: string, text: string]>> {
  const files: string[] = [];
  for (const folder of Object.values(await builtServices())) {
    const names = await readdir(folder);
    files.push(...names.filter((name) => name.endsWith('.mjs')).map((name) => join(folder, name)));
  }
  return Promise.all(files.map(async (path) => [path, await readFile(path, 'utf8')] as const));
}

test('no built file has a character beyond ASCII, which would double what it takes in memory', async () => {
  const beyond = (await builtFiles()).filter(([, text]) => /[^\0-\x7f]/.test(text));
  expect(beyond.map(([path]) => path)).toEqual([]);
});

test('no built file copies objects by way of the descriptors of their properties', async () => {
  const files = await builtFiles();
  const spreads = files.filter(([, text]) => text.includes('function _objectSpread2('));
  expect(spreads.length).toBeGreaterThan(0);
  const slow = spreads.filter(([, text]) => text.includes('function _objectSpread2(e)'));
  expect(slow.map(([path]) => path)).toEqual([]);
});
