import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadKeyring } from '@rubrica/process/keyring';
import { expect, onTestFinished, test } from 'vitest';
import { makeSecrets } from '../src/deploy/make-secrets.ts';
import { startCli } from './support/cli.ts';
import { copyOfDeploy } from './support/compose.ts';

const binding = { purpose: 'operator-password', owner: 'ana@example.com' } as const;

/** A deployment's secrets, the two services that hold them, and the command that rotates them. */
async function deployment() {
  const copy = await copyOfDeploy();
  onTestFinished(() => copy[Symbol.asyncDispose]());
  const folder = copy.path;
  await makeSecrets(folder);
  const secrets = join(folder, 'secrets');
  const keys = async (...args: string[]) => {
    const { output, errors, code } = startCli(['keys', ...args, '--in', secrets], {});
    return { code: await code, text: output.text + errors.text };
  };
  const keyringOf = (service: string) =>
    loadKeyring(
      { keysFile: join(secrets, `${service}.json`), peersFile: join(secrets, 'peers.json') },
      service,
    );
  return { secrets, keys, gateway: await keyringOf('gateway'), intake: await keyringOf('intake') };
}

const kidsOf = (listed: string, use: string) =>
  Array.from(listed.matchAll(new RegExp(`intake +${use} +(\\S+)`, 'g')), ([, kid = '']) => kid);

test('keys rotates a key that is in use, step by step, under services that run', async () => {
  const { secrets, keys, gateway, intake } = await deployment();
  const { ino } = await stat(join(secrets, 'intake.json'));
  const [former = ''] = kidsOf((await keys('list')).text, 'enc');
  const before = await gateway.sealTo('intake', 'before', binding);
  expect((await keys('add', 'intake', 'enc')).code).toBe(0);
  const [first, added = ''] = kidsOf((await keys('list')).text, 'enc');
  expect(first).toBe(former);
  for (const keyring of [intake, gateway]) expect(await keyring.reread()).toBe(true);
  expect((await keys('use', 'intake', added)).code).toBe(0);
  for (const keyring of [gateway, intake]) expect(await keyring.reread()).toBe(true);
  expect(await intake.openText(before, binding)).toBe('before');
  const after = await gateway.sealTo('intake', 'after', binding);
  expect((await keys('end', 'intake', former)).code).toBe(0);
  expect(await intake.reread()).toBe(true);
  await expect(intake.open(before, binding)).rejects.toMatchObject({ fault: 'unknown-key' });
  expect(await intake.openText(after, binding)).toBe('after');
  // The same file: a container that has it mounted sees nothing that is put in its place.
  expect((await stat(join(secrets, 'intake.json'))).ino).toBe(ino);
  expect((await readdir(secrets)).filter((name) => name.endsWith('.copy'))).toEqual([]);
});

test('keys refuses what would stop a service, and changes nothing', async () => {
  const { secrets, keys } = await deployment();
  const text = () =>
    Promise.all(['intake', 'peers'].map((name) => readFile(join(secrets, `${name}.json`), 'utf8')));
  const before = await text();
  const [current = ''] = kidsOf((await keys('list')).text, 'sig');
  expect(await keys('end', 'intake', current)).toMatchObject({
    code: 2,
    text: expect.stringContaining('is in use'),
  });
  expect((await keys('use', 'intake', 'intake-sig-0')).code).toBe(2);
  expect((await keys('add', 'gateway', 'audit')).code).toBe(2);
  expect((await keys('add', 'nobody', 'sig')).code).toBe(2);
  expect((await keys('turn', 'intake', 'sig')).code).toBe(2);
  expect(await text()).toEqual(before);
});
