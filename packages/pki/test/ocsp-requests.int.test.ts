import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatSerial, isIssuedBy, issuerHashes, parseOcspRequest } from '../src/index.ts';
import {
  makeIssuing,
  makeKey,
  makeRoot,
  makeSubscriberCertificate,
  parsed,
  type TestAuthority,
} from './fixtures.ts';
import { makeFolder, missingProgram, runProgram, toPem } from './programs.ts';

const openssl = missingProgram('openssl', 'openssl');

describe.each(['rsa', 'ec'] as const)('an OCSP request about a certificate of an %s authority', (kind) => {
  let root: TestAuthority;
  let issuing: TestAuthority;
  let subscriber: Uint8Array;

  beforeAll(async () => {
    root = await makeRoot(kind);
    issuing = await makeIssuing(root, kind);
    subscriber = await makeSubscriberCertificate(issuing, makeKey());
  });

  describe.skipIf(openssl)(openssl ?? 'asked for by OpenSSL', () => {
    const requestOf = (args: string[], folder: { path: string }) => {
      const reqout = join(folder.path, 'request.der');
      const made = runProgram('openssl', ['ocsp', ...args, '-reqout', reqout]);
      if (made.status !== 0) throw new Error(made.output);
      return parseOcspRequest(readFileSync(reqout));
    };

    it('may be about several certificates of several issuers, by either hash', async () => {
      using folder = makeFolder();
      const request = requestOf(
        [
          ...['-issuer', folder.file('issuing.pem', toPem(issuing.certificate))],
          ...['-cert', folder.file('subscriber.pem', toPem(subscriber)), '-sha256', '-serial', '0x4A3B2C'],
          ...['-issuer', folder.file('root.pem', toPem(root.certificate)), '-sha1', '-serial', '0xFF'],
        ],
        folder,
      );
      if (!request.ok) throw new Error(request.error.reason);
      const [ofIssuing, ofRoot] = [issuerHashes(issuing.parsed), issuerHashes(root.parsed)];
      expect(
        request.value.certIds.map((certId) => [
          certId.hash,
          certId.serial,
          isIssuedBy(certId, ofIssuing),
          isIssuedBy(certId, ofRoot),
        ]),
      ).toEqual([
        ['sha1', formatSerial(parsed(subscriber).serial), true, false],
        ['sha256', '4A3B2C', true, false],
        ['sha1', '00FF', false, true],
      ]);
    });

    it('may be asked for with a signature, which is passed over', () => {
      using folder = makeFolder();
      const request = requestOf(
        [
          ...['-issuer', folder.file('issuing.pem', toPem(issuing.certificate))],
          ...['-serial', '17', '-signer', folder.file('signer.pem', toPem(issuing.certificate))],
          ...['-signkey', folder.file('key.pem', toPem(issuing.key.pkcs8, 'PRIVATE KEY'))],
        ],
        folder,
      );
      expect(request).toMatchObject({ ok: true, value: { signed: true, certIds: [{ serial: '11' }] } });
    });
  });
});
