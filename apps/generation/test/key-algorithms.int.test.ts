import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDirectory } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantOf } from './support/grants.ts';
import { openScene, type Scene } from './support/scene.ts';

function openssl(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${error?.message ?? stderr}`);
  return stdout;
}

const missing =
  spawnSync('openssl', ['version']).status === 0
    ? undefined
    : 'openssl is not installed (Debian package openssl)';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene?.[Symbol.asyncDispose]());

// One service at once for all: what decides is the order, as the partner's setting was when it was asked.
describe.skipIf(missing).each([
  ['RSA-2048', 'RSA_2048', 'Public-Key: (2048 bit)', 'Exponent: 65537 (0x10001)'],
  ['RSA-3072', 'RSA_3072', 'Public-Key: (3072 bit)', 'Exponent: 65537 (0x10001)'],
  ['EC-P256', 'P_256', 'Public-Key: (256 bit)', 'ASN1 OID: prime256v1'],
] as const)(
  missing ?? 'a certificate of a partner with the key type %s',
  (keyType, algorithm, size, parameter) => {
    it('reaches OpenSSL in a file whose key is of that kind and signs for the certificate', async () => {
      await using scratch = await scratchDirectory('key-algorithms');
      const at = (name: string) => join(scratch.path, name);
      const event = await scene.order({ keyType });
      if (event.subject !== 'issued') throw new Error(event.code);
      const { requestId } = event;
      const grant = await grantOf(scene.env, requestId, { azp: 'notifier' });
      const { sealed } = await scene.notifier.serviceClient().bundles.release.query({ grant });
      const { file, password } = JSON.parse(
        await scene.notifier.keyring.openText(sealed, { purpose: 'bundle', owner: requestId }),
      );
      await writeFile(at('subscriber.p12'), Buffer.from(file, 'base64'));
      await writeFile(at('text'), 'Yo firmo.\n');
      const open = ['pkcs12', '-in', at('subscriber.p12'), '-passin', `pass:${password}`, '-noenc'];
      openssl(...open, '-clcerts', '-out', at('signer.pem'));
      openssl(...open, '-cacerts', '-nokeys', '-out', at('chain.pem'));

      const shown = openssl('x509', '-in', at('signer.pem'), '-noout', '-text');
      expect(shown).toContain(size);
      expect(shown).toContain(parameter);
      const certified = openssl('x509', '-in', at('signer.pem'), '-noout', '-pubkey');
      expect(openssl('pkey', '-in', at('signer.pem'), '-pubout')).toBe(certified);

      const signing = ['cms', '-sign', '-in', at('text'), '-binary', '-nodetach', '-outform', 'DER'];
      openssl(...signing, '-signer', at('signer.pem'), '-certfile', at('chain.pem'), '-out', at('signed'));
      const checking = ['cms', '-verify', '-in', at('signed'), '-inform', 'DER', '-binary'];
      expect(openssl(...checking, '-CAfile', at('chain.pem'))).toBe('Yo firmo.\n');

      const rows = await scene.env.database.query(
        'select key_algorithm from generation.certificate where request_id = $1',
        [requestId],
      );
      expect(rows).toEqual([{ key_algorithm: algorithm }]);
    });
  },
);
