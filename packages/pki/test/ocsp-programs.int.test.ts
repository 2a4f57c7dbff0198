import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  encodeCertId,
  formatSerial,
  issuerHashes,
  keySigner,
  type OcspHashAlgorithm,
  type OcspRequest,
  type OcspStatus,
  ocspError,
  ocspResponseTbs,
  parseOcspRequest,
  responderKeyId,
  signOcspResponse,
} from '../src/index.ts';
import {
  makeIssuing,
  makeKey,
  makeResponder,
  makeRoot,
  makeSubscriberCertificate,
  parsed,
  signatureOf,
  type TestAuthority,
  type TestResponder,
} from './fixtures.ts';
import { makeFolder, missingProgram, runProgram, toPem } from './programs.ts';

const openssl = missingProgram('openssl', 'openssl');
const gnutls = missingProgram('ocsptool', 'gnutls-bin');

/** OpenSSL has no way to read an answer on another day than today; `-attime` moves the chain only. */
const now = new Date();
const hour = 3_600_000;
const around = { thisUpdate: new Date(now.getTime() - hour), nextUpdate: new Date(now.getTime() + hour) };
const validity = { notBefore: new Date(now.getTime() - hour), notAfter: new Date(now.getTime() + 24 * hour) };

describe.each(['rsa', 'ec'] as const)('an OCSP answer of an %s authority', (kind) => {
  let root: TestAuthority;
  let issuing: TestAuthority;
  let responder: TestResponder;
  let subscriber: Uint8Array;

  beforeAll(async () => {
    root = await makeRoot(kind);
    issuing = await makeIssuing(root, kind);
    responder = await makeResponder(issuing, kind, { validity });
    subscriber = await makeSubscriberCertificate(issuing, makeKey(), { validity });
  });

  type Answer = (request: OcspRequest) => Promise<Uint8Array>;

  const signed = (tbs: Uint8Array, by: Pick<TestResponder, 'certificate' | 'key'> = responder) =>
    signOcspResponse(tbs, {
      signatureAlgorithm: signatureOf(kind),
      signer: keySigner(by.key.privateKey),
      certificates: [by.certificate],
    });

  /** The answer made on the spot: the request's own CertIDs and its nonce. */
  const answering =
    (status: OcspStatus): Answer =>
    ({ certIds, nonce }) =>
      signed(
        ocspResponseTbs({
          responderKeyId: responderKeyId(responder.parsed),
          producedAt: now,
          responses: certIds.map(({ raw }) => ({ certId: raw, status, ...around })),
          nonce,
        }),
      );

  /** OpenSSL asks about the subscriber's certificate and then judges the answer that `answer` made of its request. */
  async function ask(answer: Answer, args: string[] = []) {
    using folder = makeFolder();
    const certificates = [
      ...['-issuer', folder.file('issuing.pem', toPem(issuing.certificate))],
      ...['-cert', folder.file('subscriber.pem', toPem(subscriber))],
    ];
    const reqout = join(folder.path, 'request.der');
    runProgram('openssl', ['ocsp', ...args, ...certificates, '-reqout', reqout]);
    const request = parseOcspRequest(readFileSync(reqout));
    if (!request.ok) throw new Error(request.error.reason);
    const answered = [
      ...['-respin', folder.file('response.der', await answer(request.value))],
      ...['-CAfile', folder.file('root.pem', toPem(root.certificate))],
      ...['-verify_other', folder.file('chain.pem', toPem(issuing.certificate))],
    ];
    return {
      request: request.value,
      // Beside a certificate OpenSSL would pass the request's file over, and its nonce with it.
      verified: runProgram('openssl', ['ocsp', '-reqin', reqout, ...answered]).output,
      shown: runProgram('openssl', ['ocsp', '-no_nonce', ...args, ...certificates, ...answered]).output,
    };
  }

  describe.skipIf(openssl)(openssl ?? 'checked with OpenSSL', () => {
    it('is accepted from a delegated responder, with its nonce', async () => {
      const { verified, shown, request } = await ask(answering('good'));
      expect(request.nonce?.length).toBeGreaterThanOrEqual(16);
      expect(verified).toBe('Response verify OK\n');
      expect(shown).toContain('subscriber.pem: good');
    });

    it('tells when and why a certificate was revoked', async () => {
      const revokedAt = new Date('2026-06-01T10:20:30Z');
      const { verified, shown } = await ask(answering({ revokedAt, reason: 'keyCompromise' }));
      expect(verified).toBe('Response verify OK\n');
      expect(shown).toContain('subscriber.pem: revoked');
      expect(shown).toContain('Reason: keyCompromise');
      expect(shown).toContain('Revocation Time: Jun  1 10:20:30 2026 GMT');
      const silent = await ask(answering({ revokedAt, reason: 'unspecified' }));
      expect(silent.shown).toContain('subscriber.pem: revoked');
      expect(silent.shown).not.toContain('Reason:');
    });

    it('says that it does not know a certificate', async () => {
      const { verified, shown } = await ask(answering('unknown'));
      expect(verified).toBe('Response verify OK\n');
      expect(shown).toContain('subscriber.pem: unknown');
    });

    it('is refused with another nonce than the one asked with', async () => {
      const answer: Answer = (request) => answering('good')({ ...request, nonce: randomBytes(32) });
      expect((await ask(answer)).verified).toBe('Nonce Verify error\n');
    });

    it('is refused from a certificate that is not for answering', async () => {
      const key = makeKey(kind);
      const impostor = { certificate: await makeSubscriberCertificate(issuing, key, { validity }), key };
      const answer: Answer = async ({ certIds, nonce }) =>
        signed(
          ocspResponseTbs({
            responderKeyId: responderKeyId(parsed(impostor.certificate)),
            producedAt: now,
            responses: certIds.map(({ raw }) => ({ certId: raw, status: 'good', ...around })),
            nonce,
          }),
          impostor,
        );
      const { verified } = await ask(answer);
      expect(verified).not.toContain('Response verify OK');
      expect(verified).toContain('Response Verify Failure');
    });

    it.each(['sha1', 'sha256', 'sha384', 'sha512'] as const)(
      'kept for %s serves requests that name it so',
      async (hash) => {
        const kept = (algorithm: OcspHashAlgorithm): Answer => {
          const certId = encodeCertId({
            issuer: issuerHashes(issuing.parsed),
            hash: algorithm,
            serial: formatSerial(parsed(subscriber).serial),
          });
          const responses = [{ certId, status: 'good' as const, ...around }];
          return () =>
            signed(
              ocspResponseTbs({
                responderKeyId: responderKeyId(responder.parsed),
                producedAt: now,
                responses,
              }),
            );
        };
        const args = [...(hash === 'sha1' ? [] : [`-${hash}`]), '-no_nonce'];
        const { verified, shown, request } = await ask(kept(hash), args);
        expect(request).toMatchObject({ nonce: undefined, certIds: [{ hash }] });
        expect(verified).toContain('Response verify OK');
        expect(shown).toContain('subscriber.pem: good');
        const other = await ask(kept(hash === 'sha1' ? 'sha256' : 'sha1'), args);
        expect(other.shown).toContain('No Status found');
      },
    );

    it.each([
      ['malformedRequest', 'malformedrequest (1)'],
      ['internalError', 'internalerror (2)'],
      ['tryLater', 'trylater (3)'],
      ['sigRequired', 'sigrequired (5)'],
      ['unauthorized', 'unauthorized (6)'],
    ] as const)('can be the refusal %s', async (status, shown) => {
      expect((await ask(async () => ocspError(status))).verified).toContain(`Responder Error: ${shown}`);
    });
  });

  describe.skipIf(gnutls)(gnutls ?? 'asked for and checked with GnuTLS', () => {
    it.each([
      ['good', 'good'],
      ['unknown', 'unknown'],
      [{ revokedAt: new Date('2026-06-01T10:20:30Z'), reason: 'superseded' }, 'revoked'],
    ] as const)('is accepted with the status %j', async (status, shown) => {
      using folder = makeFolder();
      const issuer = ['--load-issuer', folder.file('issuing.pem', toPem(issuing.certificate))];
      const certificate = ['--load-cert', folder.file('subscriber.pem', toPem(subscriber))];
      const asked = join(folder.path, 'request.der');
      runProgram('ocsptool', [
        '--generate-request',
        '--nonce',
        ...issuer,
        ...certificate,
        '--outfile',
        asked,
      ]);
      const request = parseOcspRequest(readFileSync(asked));
      if (!request.ok) throw new Error(request.error.reason);
      const verified = runProgram('ocsptool', [
        ...['--verify-response', ...issuer, ...certificate, '--load-request', asked],
        ...['--load-trust', folder.file('trust.pem', toPem(issuing.certificate))],
        ...['--load-response', folder.file('response.der', await answering(status)(request.value))],
      ]);
      expect(verified).toMatchObject({ status: 0 });
      expect(verified.output).toContain('Verifying OCSP Response: Success.');
      expect(verified.output).toContain(`Certificate Status: ${shown}`);
    });
  });
});
