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

const isUnconfigured = /ConfigError: The configuration cannot be used/;

/** First output of each command without settings: most of them need some. */
const outputs: Readonly<Record<string, { readonly args?: readonly string[]; readonly text: RegExp }>> = {
  serve: { args: [], text: /^The configuration cannot be used/ },
  provision: { text: isUnconfigured },
  'await-provisioned': { text: isUnconfigured },
  doctor: { text: /^fault {2}settings {4}\w+ is required/ },
  'break-glass': { text: isUnconfigured },
  evidence: { args: ['evidence', '--help'], text: /^npm run evidence -w apps\/intake/ },
  'revoke-forgotten': { args: ['revoke-forgotten', '--help'], text: /^npm run revoke-forgotten/ },
  'verify-audit': { text: /could not look: The configuration cannot be used/ },
  ca: { args: ['ca', '--help'], text: /^npm run ca -- <step>/ },
  'file-checker': { text: /^The configuration cannot be used/ },
};

const database = ['serve', 'provision', 'doctor', 'await-provisioned', 'verify-audit'];
const commands: Readonly<Record<Service, readonly string[]>> = {
  gateway: ['serve', 'doctor'],
  intake: [...database, 'evidence', 'break-glass', 'file-checker'],
  generation: [...database, 'ca', 'revoke-forgotten'],
  terms: database,
  notifier: database,
  console: ['serve'],
};
const services = Object.keys(programs) as Service[];

async function startBuilt(service: Service, file: string, args: readonly string[] = []): Promise<string> {
  const { [service]: folder } = await builtServices();
  const started = run(process.execPath, [join(folder, file), ...args], { env: {} });
  started.child.stdin?.end();
  const { stdout, stderr } = await started.catch((error) => error);
  return `${stdout}${stderr}`;
}

test.each(services)('%s lists its commands', async (service) => {
  const lines = (await startBuilt(service, 'main.mjs', ['--help'])).matchAll(/^ {2}(\S+) {2}/gm);
  expect(Array.from(lines, ([, name]) => name)).toEqual(commands[service]);
});

const started = services.flatMap((service) => commands[service].map((command) => ({ service, command })));

test.each(started)('$service: the command $command is built and starts', async ({ service, command }) => {
  const { args = [command], text } = outputs[command] ?? { text: /is in no table/ };
  expect(await startBuilt(service, 'main.mjs', args)).toMatch(text);
});

test('intake: checker-main is built and starts', async () => {
  expect(await startBuilt('intake', 'checker-main.mjs')).toMatch(/ready/);
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
