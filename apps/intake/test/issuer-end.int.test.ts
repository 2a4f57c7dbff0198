import { generateKeyPairSync } from 'node:crypto';
import { connectBus } from '@rubrica/bus';
import { authorityProfiles, authorityTbs, keySigner, signCertificate } from '@rubrica/pki';
import { disposeAfterAll, testGround } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { fetchIssuerEnd } from '../src/requests/registration/issuer-end.ts';
import { playService } from './support/play-service.ts';
import { peersOf } from './support/retention-peers.ts';

const ground = await disposeAfterAll(testGround('intake'));

async function makeAuthority(notAfter: Date): Promise<Uint8Array> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signatureAlgorithm = 'ecdsa-with-SHA256';
  const tbs = authorityTbs({
    profile: authorityProfiles.root,
    subject: [{ type: 'commonName', value: 'Issuing CA of the second generation' }],
    serial: Uint8Array.of(7),
    validity: { notBefore: new Date('2026-01-01T00:00:00Z'), notAfter },
    spki: publicKey.export({ type: 'spki', format: 'der' }),
    signatureAlgorithm,
  });
  return signCertificate(tbs, signatureAlgorithm, keySigner(privateKey));
}

/** Generation's part: publishes the files of its authorities. */
function servePkiFiles(files: Record<string, Uint8Array>, issuing: string): Promise<AsyncDisposable> {
  return playService(ground, 'generation', {
    'pki.index': () => ({ root: 'root', issuing }),
    'pki.file': (input) => ({
      content: Buffer.from(files[input.file] ?? []).toString('base64'),
      octets: files[input.file]?.length ?? 0,
      mediaType: 'application/pkix-cert',
      maxAgeSeconds: 1,
      etag: '"1"',
    }),
  });
}

it('the end of the issuer is that of the authority which issues now, read from its published certificate', async () => {
  const end = new Date('2031-12-31T23:59:59Z');
  const files = {
    'issuing.cer': await makeAuthority(new Date('2027-01-01T00:00:00Z')),
    'issuing-2.cer': await makeAuthority(end),
  };
  await using _generation = await servePkiFiles(files, 'issuing-2');
  const { keyring, ...access } = await ground.peer('intake');
  await using bus = await connectBus(access);
  expect(await fetchIssuerEnd(peersOf(bus))).toEqual(end);
});
