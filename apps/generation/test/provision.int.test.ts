import { createHash, X509Certificate } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import { keyAlgorithms } from '@rubrica/pki';
import { loadKeyring } from '@rubrica/process/keyring';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { readAuthorityFile } from '../src/issuers/authorities/authority-file.ts';
import { openAuthorities } from '../src/issuers/authorities/open-authorities.ts';
import { createSealedKeys } from '../src/issuers/local/sealed-keys.ts';
import { generation } from './support/generation.ts';

const env = await disposeAfterAll(generation());

const keyring = () =>
  loadKeyring(
    { keysFile: env.ground.keys.keysFile.generation, peersFile: env.ground.keys.peersFile },
    'generation',
  );

/** As the opener makes it: of the public key in the certificate. */
function bindingOf(certificate: string): SealBinding {
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return { purpose: 'issuing-key', owner: createHash('sha256').update(spki).digest('hex') };
}

const opening = async () => ({ keys: createSealedKeys(await keyring()), now: new Date() });

describe('provisioning', () => {
  it('keeps the authorities it finds, and leaves nothing else in their folder', async () => {
    const before = await readFile(join(env.authorityDirectory, 'authorities.json'));
    await env.provision();
    expect(await readFile(join(env.authorityDirectory, 'authorities.json'))).toEqual(before);
    expect(await readdir(env.authorityDirectory)).toEqual(['authorities.json']);
  });

  it('makes one pair of authorities when several provision at once', async () => {
    const directory = `${env.authorityDirectory}-shared`;
    await Promise.all(
      [1, 2, 3].map(() => env.provision({ CA_DIRECTORY: directory, CA_KEY_ALGORITHM: 'P_256' })),
    );
    expect(await readdir(directory)).toEqual(['authorities.json']);
    const records = await readAuthorityFile(directory);
    const { issuing } = await openAuthorities(records?.authorities ?? [], await opening());
    expect(issuing[0]?.issuer.identity.signatureAlgorithm).toBe(keyAlgorithms.P_256.signature);
    expect(issuing[0]?.issuer.chain).toHaveLength(2);
  });

  it('keeps authority keys sealed and readable by the owner alone', async () => {
    const path = join(env.authorityDirectory, 'authorities.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const records = (await readAuthorityFile(env.authorityDirectory))?.authorities ?? [];
    const { open } = await keyring();
    const keys = records.flatMap(({ certificate, key, responder }) => [
      { certificate, key },
      ...(responder ? [responder] : []),
    ]);
    expect(keys).toHaveLength(3);
    for (const { certificate, key: reference } of keys) {
      if (reference.kind !== 'sealed') throw new Error('a key is elsewhere');
      const pkcs8 = Buffer.from(await open(reference.sealedKey, bindingOf(certificate)));
      expect(pkcs8.length).toBeGreaterThan(100);
      expect((await readFile(path, 'utf8')).includes(pkcs8.toString('base64').slice(40, 120))).toBe(false);
    }
  });

  it('refuses a key that is not its certificate’s', async () => {
    const [root, issuing] = (await readAuthorityFile(env.authorityDirectory))?.authorities ?? [];
    if (!root || !issuing) throw new Error('no authorities');
    const swapped = [root, { ...issuing, key: root.key }];
    await expect(openAuthorities(swapped, await opening())).rejects.toThrow(
      "the key of issuing cannot be used: the key is not its certificate's",
    );
  });

  it('must have run before the service starts', async () => {
    await expect(env.start({ CA_DIRECTORY: `${env.authorityDirectory}-absent` })).rejects.toThrow(
      'npm run provision',
    );
  });
});
