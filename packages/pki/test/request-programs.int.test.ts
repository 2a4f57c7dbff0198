import { describe, expect, it } from 'vitest';
import { keySigner } from '../src/certificate/key-signer.ts';
import {
  certificationRequestTbs,
  parseCertificationRequest,
  provesPossession,
  signCertificationRequest,
} from '../src/index.ts';
import { makeKey, signatureOf } from './fixtures.ts';
import { makeFolder, missingProgram, runProgram, toPem } from './programs.ts';

const openssl = missingProgram('openssl', 'openssl');
const subject = [
  { type: 'countryName', value: 'EC' },
  { type: 'organizationName', value: 'Ejemplo S.A.' },
  { type: 'commonName', value: 'Firma Ejemplo Issuing CA' },
] as const;

describe.skipIf(openssl).each(['rsa', 'ec'] as const)(openssl ?? 'a request of an %s key', (kind) => {
  it('verifies in OpenSSL under the name it was made with', async () => {
    using folder = makeFolder();
    const key = makeKey(kind);
    const tbs = certificationRequestTbs({ subject, spki: key.spki });
    const request = await signCertificationRequest(tbs, signatureOf(kind), keySigner(key.privateKey));
    const file = folder.file('request.pem', toPem(request, 'CERTIFICATE REQUEST'));
    const shown = runProgram('openssl', ['req', '-in', file, '-noout', '-verify', '-subject']);
    expect(shown).toMatchObject({ status: 0 });
    expect(shown.output).toMatch(/verify OK/i);
    expect(shown.output).toContain('CN = Firma Ejemplo Issuing CA');
  });

  it('made by OpenSSL is read, and proves possession', () => {
    using folder = makeFolder();
    const made = kind === 'rsa' ? 'rsa:2048' : 'ec';
    const curve = kind === 'rsa' ? [] : ['-pkeyopt', 'ec_paramgen_curve:P-256'];
    const key = folder.file('key.pem', '');
    const done = runProgram('openssl', [
      ...['req', '-new', '-sha256', '-newkey', made, ...curve, '-nodes', '-keyout', key],
      ...['-subj', '/C=EC/O=Ejemplo/CN=Firma', '-outform', 'PEM'],
    ]);
    const body = /-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----END/.exec(done.stdout)?.[1] ?? '';
    const read = parseCertificationRequest(Buffer.from(body, 'base64'));
    if (!read.ok) throw new Error(read.error.reason);
    expect(provesPossession(read.value)).toBe(true);
  });
});
