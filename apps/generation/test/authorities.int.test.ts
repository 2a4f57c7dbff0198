import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { disposeAfterAll, scratchDirectory, writeServiceKeys } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditAuthorities } from '../src/issuers/authorities/audit-authorities.ts';
import { readAuthorityFile, writeAuthorityFile } from '../src/issuers/authorities/authority-file.ts';
import { changeAuthorities } from '../src/issuers/authorities/change-authorities.ts';
import { createAuthorities } from '../src/issuers/authorities/make-authority.ts';
import { createSealedKeys } from '../src/issuers/local/sealed-keys.ts';
import { openIssuers } from '../src/issuers/open-issuers.ts';
import { createIssuersWatch } from '../src/issuers/watch-issuers.ts';
import { ca } from './support/ca.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const nothing = async () => undefined;
let env: Record<string, string>;
let directory: string;
let folders = 0;

const scratch = await disposeAfterAll(scratchDirectory('authorities'));
const keyFiles = await writeServiceKeys(scratch.path);
const common: Record<string, string> = {
  KEYS_FILE: keyFiles.keysFile.generation,
  PEERS_FILE: keyFiles.peersFile,
  BASE_URL: 'http://pki.example.test',
  CA_KEY_ALGORITHM: 'P_256',
};

beforeEach(async () => {
  folders += 1;
  directory = join(scratch.path, `ca-${folders}`);
  env = { ...common, CA_DIRECTORY: directory };
  expect((await ca(env, 'init')).code).toBe(0);
});

const keyring = () => {
  const { KEYS_FILE = '', PEERS_FILE = '' } = env;
  return loadKeyring({ keysFile: KEYS_FILE, peersFile: PEERS_FILE }, 'generation');
};
const open = async (at: () => Date = () => new Date()) =>
  openIssuers({ authority: { directory, token: {} } }, await keyring(), at);
const records = async () => (await readAuthorityFile(directory))?.authorities ?? [];

/** The file as the first releases wrote it. */
async function asVersion1(): Promise<void> {
  const authorities = (await records()).map(({ key, responder: _, activeFrom, ...record }) => ({
    ...record,
    active: record.kind === 'root' || activeFrom !== null,
    sealedKey: key.kind === 'sealed' ? key.sealedKey : '',
  }));
  await writeFile(join(directory, 'authorities.json'), JSON.stringify({ version: 1, authorities }));
}

describe('the file of authorities', () => {
  it('of the first releases is read, and gets its responder in the next revision, itself untouched', async () => {
    await asVersion1();
    const before = await readFile(join(directory, 'authorities.json'));
    await expect(open()).rejects.toThrow('issuing has no OCSP responder: run "npm run provision" first');
    expect((await ca(env, 'renew')).code).toBe(0);
    expect(await readFile(join(directory, 'authorities.json'))).toEqual(before);
    expect((await readdir(directory)).sort()).toEqual(['authorities-2.json', 'authorities.json']);
    const { active } = await open();
    expect(active.name).toBe('issuing');
    expect(active.responder.certificate.issuer.raw).toEqual(active.identity.name);
  });

  it('is upgraded once when several upgrade it at the same time', async () => {
    await asVersion1();
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => ca(env, 'renew')));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect((await readdir(directory)).sort()).toEqual(['authorities-2.json', 'authorities.json']);
  });

  it('loses no change when several are made at the same time', async () => {
    const [, issuing] = await records();
    if (issuing === undefined) throw new Error('no authority');
    const names = ['issuing-2', 'issuing-3', 'issuing-4', 'issuing-5'];
    await Promise.all(
      names.map((name) => changeAuthorities(directory, async (before) => [...before, { ...issuing, name }])),
    );
    const after = (await records()).map(({ name }) => name);
    expect(after.sort()).toEqual(['issuing', ...names, 'root']);
    expect((await readAuthorityFile(directory))?.revision).toBe(5);
  });

  it('is not read from a draft that a crash has left, nor is a number taken twice', async () => {
    await writeFile(join(directory, 'draft-1-abcd'), '{"version":');
    expect((await readAuthorityFile(directory))?.revision).toBe(1);
    const authorities = await records();
    expect(await writeAuthorityFile(directory, { revision: 1, authorities: [] })).toBe(false);
    expect(await records()).toEqual(authorities);
  });

  it('that cannot be understood is named', async () => {
    await writeFile(join(directory, 'authorities-2.json'), '{"version": 2, "authorities": []}');
    await expect(open()).rejects.toThrow('authorities-2.json is not a file of authorities');
  });
});

describe('a running service', () => {
  it('keeps what it has when a change cannot be read or prepared, and loads the next that can', async () => {
    const issuers = await open();
    const { responder } = issuers.active;
    await writeFile(join(directory, 'authorities-2.json'), 'garbage');
    await expect(issuers.refresh(nothing)).rejects.toThrow('is not a file of authorities');
    expect(issuers.active.responder).toBe(responder);
    await writeFile(
      join(directory, 'authorities-2.json'),
      await readFile(join(directory, 'authorities.json')),
    );
    expect((await ca(env, 'rotate', '--after', '0')).code).toBe(0);
    await expect(issuers.refresh(() => Promise.reject(new Error('no database')))).rejects.toThrow(
      'no database',
    );
    expect(issuers.active.name).toBe('issuing');
    expect(await issuers.refresh(nothing)).toBe(true);
    expect(await issuers.refresh(nothing)).toBe(false);
    expect(issuers.active.name).toBe('issuing-2');
    expect(issuers.all.map(({ name }) => name)).toEqual(['issuing-2', 'issuing']);
  });

  it('publishes and answers for a new authority before it signs', async () => {
    let now = new Date();
    const issuers = await open(() => now);
    await ca(env, 'rotate', '--after', '600');
    await issuers.refresh(nothing);
    expect(issuers.active.name).toBe('issuing');
    expect(issuers.published.map(({ name }) => name)).toEqual(['root', 'issuing', 'issuing-2']);
    expect(issuers.all.map(({ name }) => name)).toEqual(['issuing', 'issuing-2']);
    now = new Date(now.getTime() + 601_000);
    expect(issuers.active.name).toBe('issuing-2');
  });

  it('renews a responder in the last third of its life, and not before', async () => {
    let now = new Date();
    const issuers = await open(() => now);
    const first = issuers.active.responder;
    now = new Date(now.getTime() + 59 * DAY_MS);
    const told: unknown[] = [];
    const audit: AuditAuthorities = async (action, { changed, file }) => {
      if (changed) told.push([action, file?.revision]);
    };
    expect(await issuers.renew(audit)).toBe(false);
    now = new Date(now.getTime() + 2 * DAY_MS);
    const watch = createIssuersWatch({ issuers, prepare: nothing, audit, everyMs: 5, logger: quiet });
    watch.start();
    await expect.poll(() => issuers.active.responder).not.toBe(first);
    await watch.stop();
    const { certificate } = issuers.active.responder;
    expect(certificate.notAfter.date.getTime() - now.getTime()).toBeGreaterThan(89 * DAY_MS);
    expect((await readdir(directory)).length).toBe(2);
  });

  it('stops answering for an authority that has ended, and still publishes it', async () => {
    directory = join(scratch.path, 'old');
    env = { ...common, CA_DIRECTORY: directory };
    const keys = createSealedKeys(await keyring());
    const fiveYearsAgo = new Date(Date.now() - 5 * 365 * DAY_MS);
    const authorities = await createAuthorities({
      organization: 'Rubrica (testing only)',
      commonName: 'Rubrica Test',
      keyAlgorithm: 'P_256',
      pkiBaseUrl: 'http://pki.example.test',
      now: fiveYearsAgo,
      keys: { authorities: keys, responders: keys },
    });
    await writeAuthorityFile(directory, { revision: 1, authorities });
    await ca(env, 'rotate', '--after', '0');
    expect((await open()).all.map(({ name }) => name)).toEqual(['issuing-2', 'issuing']);
    const issuers = await open(() => new Date(Date.now() + 6 * 365 * DAY_MS));
    expect(issuers.all.map(({ name }) => name)).toEqual(['issuing-2']);
    expect(issuers.published.map(({ name }) => name)).toEqual(['root', 'issuing', 'issuing-2']);
  });
});
