import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { joinScene } from './support/scene.ts';

/** They need the TypeScript 5 that is beside them, as TypeScript 7 has no API in JavaScript. */
const openapiTypescript = join(
  dirname(createRequire(import.meta.url).resolve('openapi-typescript/package.json')),
  'bin',
  'cli.js',
);
const heyApi = join(
  dirname(createRequire(import.meta.url).resolve('@hey-api/openapi-ts/package.json')),
  'bin',
  'run.js',
);
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
/** Client of the first program. */
const openapiFetch = dirname(dirname(createRequire(import.meta.url).resolve('openapi-fetch')));
const run = promisify(execFile);
const scene = await disposeAfterAll(joinScene());
const { body } = await scene.call({ path: '/openapi.json' });
await writeFile(join(scene.folder, 'openapi.json'), JSON.stringify(body));
await symlink(dirname(openapiFetch), join(scene.folder, 'node_modules'));

async function node(script: string, ...args: readonly string[]): Promise<void> {
  await run(process.execPath, [script, ...args], { cwd: scene.folder });
}

/** Compiles a program, strictly; the compiler's words where it does not. */
async function compile(name: string, program: string): Promise<string> {
  await writeFile(join(scene.folder, name), program);
  const options = '--noEmit --strict --skipLibCheck --module preserve --target es2022'.split(' ');
  try {
    await node(compiler, ...options, name);
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

it('a program on openapi-typescript registers, checks, lists, and reads what came back, without a cast', async () => {
  await node(openapiTypescript, 'openapi.json', '-o', 'types.d.ts');
  const program = (read: string) => `
import createClient from 'openapi-fetch';
import type { components, paths } from './types';
const client = createClient<paths>({ baseUrl: '${scene.stack.info().baseUrl}' });
export async function register(body: components['schemas']['LinkedPartnerRequest']): Promise<string | undefined> {
  const { data, error } = await client.POST('/collector/linked-partner/request', { body });
  return error === undefined ? data.${read} : error.docUrl;
}
export async function check(body: components['schemas']['LinkedPartnerRequest']): Promise<boolean> {
  const { data } = await client.POST('/collector/linked-partner/request/dry-run', { body });
  return data?.valid === true && data.warnings.length === 0;
}
export async function attempts(eventId: string): Promise<number | undefined> {
  const { data } = await client.GET('/gateway/events/{eventId}', { params: { path: { eventId } } });
  return data?.attemptList.length;
}`;
  expect(await compile('uses-types.ts', program('status'))).toBe('');
  expect(await compile('misspelt.ts', program('state'))).toContain("'state' does not exist");
});

it('a program on @hey-api/openapi-ts registers, checks, lists, and reads what came back, without a cast', async () => {
  await node(heyApi, '-i', 'openapi.json', '-o', 'client');
  const program = `
import { listRequests, readEvent, registerLinkedPartner, registerLinkedPartnerDryRun } from './client';
import type { LinkedPartnerRequest } from './client';
export async function register(body: LinkedPartnerRequest): Promise<string | undefined> {
  const { data } = await registerLinkedPartner({ body });
  return data?.status;
}
export async function check(body: LinkedPartnerRequest): Promise<boolean> {
  const { data } = await registerLinkedPartnerDryRun({ body });
  return data?.valid === true;
}
export async function newest(): Promise<string | undefined> {
  const { data } = await listRequests({ query: { limit: 1 } });
  return data?.items[0]?.status;
}
export const attempts = async (eventId: string) =>
  (await readEvent({ path: { eventId } })).data?.attemptList.length;`;
  expect(await compile('uses-client.ts', program)).toBe('');
});

it.each([
  '/collector/linked-partner/request/dry-run',
  '/collector/request/dry-run',
  '/collector/transactional/request/dry-run',
  '/collector/simplified/request/dry-run',
  '/manager/certificate/renew/dry-run',
])('%s answers as ?dryRun=true does, and refuses as it', async (path) => {
  const { token } = scene.partners.sandbox;
  const body = { referenceTransaction: 'DRY-RUN-1', serialNumber: '0A' };
  const asked = await scene.call({
    path: path.replace('/dry-run', ''),
    query: { dryRun: 'true' },
    token,
    body,
  });
  const own = await scene.call({ path, token, body });
  const { timestamp: _at, traceId: _trace, path: _path, ...error } = own.body as Record<string, unknown>;
  expect(own.status).toBe(400);
  expect(asked).toMatchObject({ status: own.status, body: error });
});
