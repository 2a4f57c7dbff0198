import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDirectory } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAuthorityFile } from '../src/issuers/authorities/authority-file.ts';
import { issued, pemOf, published } from './support/issued-certificates.ts';
import { type OpenSsl, openSsl } from './support/openssl.ts';
import { commandsOf, runCommands } from './support/readme-commands.ts';
import { openScene, type Scene } from './support/scene.ts';
import { makeToken, missingSoftHsm, softHsmModule } from './support/softhsm.ts';
import { digestIn } from './support/two-places.ts';

const pins = { root: 'root-pin-1234', service: 'service-pin-5678' };

/** A place with a token store of its own, which the other place's module cannot see. */
async function makePlace(
  folder: string,
  place: keyof typeof pins,
  settings: Readonly<Record<string, string>>,
) {
  await mkdir(join(folder, 'tokens'), { recursive: true });
  const SOFTHSM2_CONF = join(folder, 'softhsm2.conf');
  await writeFile(SOFTHSM2_CONF, `directories.tokendir = ${join(folder, 'tokens')}\n`);
  await makeToken(SOFTHSM2_CONF, { label: place, pin: pins[place] });
  return {
    ...settings,
    SOFTHSM2_CONF,
    CA_ISSUER: 'pkcs11',
    PKCS11_MODULE: softHsmModule(),
    PKCS11_TOKEN_LABEL: place,
    CA_KEY_ALGORITHM: 'P_256',
    CA_ORGANIZATION: 'Ejemplo S.A.',
    CA_COMMON_NAME: 'Firma Ejemplo',
  };
}

const envFile = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');

describe.skipIf(missingSoftHsm)(missingSoftHsm ?? "the README's ceremony, command by command", () => {
  let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
  let openssl: OpenSsl;
  let scene: Scene;
  const said: string[] = [];
  const at = (...path: string[]) => join(scratch.path, ...path);

  async function follow(service: Readonly<Record<string, string>>): Promise<void> {
    const instead = { '/media/root': at('root'), '/media/stick': at('stick'), '/srv/rubrica': at('service') };
    const root = { ROOT_DIRECTORY: at('root', 'authority'), PKI_BASE_URL: service.BASE_URL ?? '' };
    await writeFile(at('root', 'root.env'), envFile(await makePlace(at('root'), 'root', root)));
    await writeFile(at('service', 'ca.env'), envFile(service));
    for (const block of await commandsOf('src/ca/README.md')) {
      const place = block.includes('/media/root/root.env') ? 'root' : 'service';
      const typed = {
        PKCS11_PIN: pins[place],
        ...(said[0] && { ROOT_SHA256: digestIn(said[0]) }),
        ...(said[1] && { REQUEST_SHA256: digestIn(said[1]) }),
      };
      const step = await runCommands(block, { instead, typed });
      if (step.code !== 0) throw new Error(`${block}\n${step.said}`);
      said.push(step.said);
    }
  }

  beforeAll(async () => {
    scratch = await scratchDirectory('ceremony');
    openssl = await openSsl();
    await mkdir(at('root'));
    scene = await openScene(async ({ env }) => {
      const { DATABASE_URL = '', KEYS_FILE = '', PEERS_FILE = '', BASE_URL = '' } = env;
      const CA_DIRECTORY = at('service', 'authority');
      const own = { DATABASE_URL, KEYS_FILE, PEERS_FILE, BASE_URL, CA_DIRECTORY };
      const service = await makePlace(at('service'), 'service', own);
      await follow(service);
      process.env.SOFTHSM2_CONF = service.SOFTHSM2_CONF;
      return { ...env, ...service, PKCS11_PIN: pins.service };
    });
  });
  afterAll(async () => {
    await scene?.[Symbol.asyncDispose]();
    await openssl?.[Symbol.asyncDispose]();
    await scratch?.[Symbol.asyncDispose]();
  });

  it('has six steps, each of which tells what it did, and none a PIN', () => {
    expect(said).toHaveLength(6);
    for (const [step, text] of [
      'The root was made',
      'A key and its request were made',
      'The request was signed',
      'The answer is from C=EC, O=Ejemplo S.A., CN=Firma Ejemplo Root CA and was installed',
      'A CRL of the root was signed: number 2',
      'number 2, until',
    ].entries()) {
      expect(said[step]).toContain(text);
    }
    for (const pin of Object.values(pins)) expect(said.join()).not.toContain(pin);
  });

  it('carries a root, a request, an answer and a CRL, and no key', async () => {
    const carried = await readdir(at('stick'));
    expect(carried.sort()).toEqual(['issuing-answer.pem', 'issuing-request.pem', 'root-crl.pem', 'root.pem']);
    for (const name of carried) expect(await readFile(at('stick', name), 'utf8')).not.toContain('PRIVATE');
    const { text } = await openssl.run('req', '-in', at('stick', 'issuing-request.pem'), '-noout', '-verify');
    expect(text).toMatch(/verify OK/i);
  });

  it('leaves the service a key in its own token and none of the root', async () => {
    const file = await readAuthorityFile(at('service', 'authority'));
    expect(file?.authorities.map(({ key }) => key.kind)).toEqual(['elsewhere', 'pkcs11']);
  });

  it('gives a service whose certificates OpenSSL verifies up to that root, with the CRLs of both', async () => {
    await openssl.put('subscriber.pem', await pemOf(scene, await issued(scene)));
    const crls = await Promise.all(
      ['issuing', 'root'].map(async (name) => {
        const file = `${name}.crl`;
        await expect.poll(() => published(scene, file).catch(() => undefined)).toBeDefined();
        await openssl.run(
          ...['crl', '-inform', 'DER', '-in', await openssl.put(file, await published(scene, file))],
          ...['-out', `${file}.pem`],
        );
        return ['-CRLfile', `${file}.pem`];
      }),
    );
    const chain = ['-CAfile', at('stick', 'root.pem'), '-untrusted', at('service', 'public', 'chain.pem')];
    const checked = ['verify', '-x509_strict', '-crl_check_all', ...chain, ...crls.flat(), 'subscriber.pem'];
    expect((await openssl.run(...checked)).text).toBe('subscriber.pem: OK\n');
  });

  it('is told by the audit log, as far as the service knows of it', async () => {
    const entries = await scene.env.database.query<{ action: string }>(
      `select action from generation.audit_entry
       where detail ->> 'target' = 'authorities' and actor = 'ceremony' order by sequence`,
    );
    expect(entries.map(({ action }) => action)).toEqual(['authorities.init', 'authorities.crl']);
  });
});
