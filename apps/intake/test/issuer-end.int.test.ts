import { generateKeyPairSync } from 'node:crypto';
import { connectBus, serveRouter } from '@rubrica/bus';
import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { authorityProfiles, authorityTbs, keySigner, signCertificate } from '@rubrica/pki';
import { type BaseContext, createCallContext, createLogger, createServiceTrpc } from '@rubrica/process';
import { type TestGround, testGround } from '@rubrica/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { askIssuerEnd } from '../src/registration/ask-issuer-end.ts';
import { peersOf } from './support/retention-peers.ts';

let ground: TestGround;
beforeAll(async () => {
  ground = await testGround('intake');
});
afterAll(() => ground?.[Symbol.asyncDispose]());

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
async function servePkiFiles(files: Record<string, Uint8Array>, issuing: string): Promise<AsyncDisposable> {
  const { keyring, ...access } = await ground.peer('generation');
  const bus = await connectBus(access);
  const { router, procedure, asAnyone } = createServiceTrpc<BaseContext>();
  const index = procedure
    .use(asAnyone())
    .input(z.object({}).optional())
    .output(generationContract.pkiIndex)
    .query(() => ({ root: 'root', issuing }));
  const file = procedure
    .use(asAnyone())
    .input(generationContract.pkiFileInput)
    .output(generationContract.pkiFile)
    .query(({ input }) => ({
      content: Buffer.from(files[input.file] ?? []).toString('base64'),
      mediaType: 'application/pkix-cert',
      maxAgeSeconds: 1,
      etag: '"1"',
    }));
  const logger = createLogger({ service: 'generation', level: 'silent', format: 'json' });
  await serveRouter(bus, {
    router: router({ pki: router({ index, file }) }),
    subjectPrefix: 'rpc.v1.generation',
    queue: 'generation',
    createContext: createCallContext(keyring, logger),
  });
  return { [Symbol.asyncDispose]: () => bus.drain() };
}

it('the end of the issuer is that of the authority which issues now, read from its published certificate', async () => {
  const end = new Date('2031-12-31T23:59:59Z');
  const files = {
    'issuing.cer': await makeAuthority(new Date('2027-01-01T00:00:00Z')),
    'issuing-2.cer': await makeAuthority(end),
  };
  await using _generation = await servePkiFiles(files, 'issuing-2');
  const { keyring, ...access } = await ground.peer('intake');
  const bus = await connectBus(access);
  await using _bus = { [Symbol.asyncDispose]: () => bus.drain() };
  expect(await askIssuerEnd(peersOf(bus, keyring))).toEqual(end);
});
