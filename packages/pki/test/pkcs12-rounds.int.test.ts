import { beforeAll, describe, expect, it } from 'vitest';
import { maxPkcs12Iterations, type Pkcs12Encoding, readPkcs12, writePkcs12 } from '../src/index.ts';
import { makeIssuing, makeKey, makeRoot, makeSubscriberCertificate } from './fixtures.ts';
import { makeFolder, missingProgram, runProgram } from './programs.ts';

const password = 'Secreto-123';

let parts: Omit<Parameters<typeof writePkcs12>[0], 'encoding' | 'iterations'>;
beforeAll(async () => {
  const root = await makeRoot('rsa');
  const issuing = await makeIssuing(root, 'rsa');
  const key = makeKey('rsa');
  parts = {
    privateKey: key.pkcs8,
    certificate: await makeSubscriberCertificate(issuing, key),
    chain: [issuing.certificate, root.certificate],
    password,
    friendlyName: 'MARIA',
  };
});

/** How each program opens a file; its name, the program, the package, the arguments. */
const programs = [
  [
    'OpenSSL',
    'openssl',
    'openssl',
    (p12: string) => ['pkcs12', '-in', p12, '-passin', `pass:${password}`, '-noenc'],
  ],
  [
    'GnuTLS',
    'certtool',
    'gnutls-bin',
    (p12: string) => ['--p12-info', '--inder', '--infile', p12, '--password', password],
  ],
  [
    'Java',
    'keytool',
    'default-jre-headless',
    (p12: string) => ['-list', '-keystore', p12, '-storetype', 'PKCS12', '-storepass', password],
  ],
  ['NSS', 'pk12util', 'libnss3-tools', (p12: string) => ['-l', p12, '-W', password]],
] as const;

describe.each([
  ['modern', 10_000],
  ['modern', 100_000],
  ['modern', maxPkcs12Iterations],
  ['legacy', 100_000],
] as const)('a PKCS#12 file in the %s encoding with %i rounds', (encoding: Pkcs12Encoding, iterations) => {
  let file: Uint8Array;
  beforeAll(async () => {
    file = await writePkcs12({ ...parts, encoding, iterations });
  });

  it('is read by our own reader', async () => {
    expect(await readPkcs12(file, password)).toMatchObject({ ok: true });
  });

  for (const [name, program, source, args] of programs) {
    const missing = missingProgram(program, source);
    it.skipIf(missing)(missing ?? `opens in ${name}`, () => {
      using folder = makeFolder();
      expect(runProgram(program, args(folder.file('subscriber.p12', file)))).toMatchObject({ status: 0 });
    });
  }
});
