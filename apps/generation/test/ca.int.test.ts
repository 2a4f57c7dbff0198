import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { disposeAfterAll, scratchDirectory, writeServiceKeys } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { readAuthorityFile } from '../src/issuers/authorities/authority-file.ts';
import { ca } from './support/ca.ts';

const scratch = await disposeAfterAll(scratchDirectory('ceremony'));
const keyFiles = await writeServiceKeys(scratch.path);
const env: Record<string, string> = {
  KEYS_FILE: keyFiles.keysFile.generation,
  PEERS_FILE: keyFiles.peersFile,
  BASE_URL: 'http://pki.example.test',
  CA_DIRECTORY: join(scratch.path, 'ca'),
  CA_KEY_ALGORITHM: 'P_256',
  CA_COMMON_NAME: 'Firma Ejemplo',
  CA_ORGANIZATION: 'Ejemplo S.A.',
};

const openssl = async (...args: string[]) =>
  (await promisify(execFile)('openssl', args, { cwd: join(scratch.path, 'out') })).stdout;

describe('npm run ca', () => {
  it('explains itself, and says what is wrong with a call', async () => {
    expect(await ca(env, '--help')).toMatchObject({ code: 0, said: expect.stringContaining('rotate') });
    expect((await ca(env)).code).toBe(2);
    for (const [args, fault] of [
      [['burn'], 'no step "burn"'],
      [['status', 'more'], '"more" is more than status takes'],
      [['init', '--after', '5'], '--after'],
      [['root'], 'no step "root"'],
      [['root', 'sign'], 'root sign takes a file'],
      [['install'], 'install takes a file'],
      [['install', 'answer', '--root', 'abc'], '--root takes a SHA-256'],
      [['rotate', '--may-differ', 'root'], '--may-differ takes name,key-type'],
      [['request', '--number', '0'], '--number takes'],
      [['rotate', '--after', 'soon'], '--after takes a number of seconds'],
      [['status', '--loud'], '--loud'],
    ] as const) {
      expect(await ca(env, ...args)).toMatchObject({ code: 2, said: expect.stringContaining(fault) });
    }
    const { CA_DIRECTORY: _, ...incomplete } = env;
    expect(await ca(incomplete, 'status')).toMatchObject({
      code: 2,
      said: expect.stringContaining('CA_DIRECTORY is required'),
    });
  });

  it('has nothing to show, rotate, renew or export before there is an authority', async () => {
    for (const step of ['status', 'rotate', 'renew', 'export']) {
      expect((await ca(env, step)).code).toBe(1);
    }
    expect(await readdir(scratch.path)).not.toContain('ca');
  });

  it('makes the authority once, under the names of the operator', async () => {
    const { code, said } = await ca(env, 'init');
    expect(code).toBe(0);
    expect(said).toContain('C=EC, O=Ejemplo S.A., CN=Firma Ejemplo Issuing CA');
    expect(said).toMatch(/issuing {2}active: signs new certificates/);
    expect(await ca(env, 'init')).toMatchObject({ code: 1, said: expect.stringContaining('already') });
    expect(await readdir(env.CA_DIRECTORY ?? '')).toEqual(['authorities.json']);
  });

  it('rotates under the same root, when the copies have had time to hear of it', async () => {
    const { code, said } = await ca({ ...env, CA_REFRESH_SECONDS: '30' }, 'rotate');
    expect(code).toBe(0);
    expect(said).toMatch(/issuing {2}active: signs new certificates/);
    expect(said).toMatch(/issuing-2 {2}takes over at/);
    const file = await readAuthorityFile(env.CA_DIRECTORY ?? '');
    const [, , next] = file?.authorities ?? [];
    const made = new X509Certificate(Buffer.from(next?.certificate ?? '', 'base64')).validFromDate;
    const waitsMs = new Date(next?.activeFrom ?? 0).getTime() - made.getTime();
    expect(waitsMs).toBeGreaterThanOrEqual(60_000);
    expect(waitsMs).toBeLessThan(62_000);
    expect(await ca(env, 'rotate')).toMatchObject({
      code: 1,
      said: expect.stringContaining('issuing-2 takes over at'),
    });
  });

  it('exports what OpenSSL verifies, and no key', async () => {
    const folder = join(scratch.path, 'out');
    expect((await ca(env, 'export', folder)).code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual([
      'chain.pem',
      'issuing-2-ocsp.pem',
      'issuing-2.pem',
      'issuing-ocsp.pem',
      'issuing.pem',
      'root.pem',
    ]);
    for (const name of await readdir(folder)) {
      expect(await readFile(join(folder, name), 'utf8')).not.toContain('PRIVATE KEY');
    }
    const chain = ['verify', '-x509_strict', '-CAfile', 'root.pem', '-untrusted'];
    expect(await openssl(...chain, 'issuing-2.pem', 'issuing-2-ocsp.pem')).toBe('issuing-2-ocsp.pem: OK\n');
    expect(await openssl(...chain, 'chain.pem', 'issuing-ocsp.pem')).toBe('issuing-ocsp.pem: OK\n');
    expect(await openssl('x509', '-in', 'issuing-2.pem', '-noout', '-ext', 'authorityInfoAccess')).toContain(
      'URI:http://pki.example.test/pki/root.cer',
    );
  });

  it('shows no key', async () => {
    const { said } = await ca(env, 'status');
    const file = await readAuthorityFile(env.CA_DIRECTORY ?? '');
    const sealed = (file?.authorities ?? []).map(({ key }) => (key.kind === 'sealed' ? key.sealedKey : ''));
    expect(sealed).toHaveLength(3);
    for (const key of sealed) expect(said).not.toContain(key.slice(0, 30));
  });
});
