import { describe, expect, it } from 'vitest';
import { revocationReasons } from '../src/crl/revocation-reasons.ts';
import { formatSerial, type RevocationReason } from '../src/index.ts';
import {
  type CrlInput,
  makeCrl,
  makeIssuing,
  makeKey,
  makeRoot,
  makeSerial,
  makeSubscriberCertificate,
  publication,
  type TestAuthority,
} from './fixtures.ts';
import { makeFolder, missingProgram, runProgram, toPem } from './programs.ts';

const openssl = missingProgram('openssl', 'openssl');
const gnutls = missingProgram('certtool', 'gnutls-bin');
const attime = ['-attime', String(Date.UTC(2027, 0, 1) / 1000)];
const revokedAt = new Date('2026-06-01T10:20:30Z');

/** What `openssl verify -crl_check` says of a certificate against a list of its issuer. */
async function check(
  root: TestAuthority,
  issuing: TestAuthority,
  list: Partial<CrlInput>,
  serial: Uint8Array,
) {
  using folder = makeFolder();
  const certificate = await makeSubscriberCertificate(issuing, makeKey(), { serial });
  return runProgram('openssl', [
    ...['verify', '-x509_strict', '-crl_check', ...attime],
    ...['-CAfile', folder.file('root.pem', toPem(root.certificate))],
    ...['-untrusted', folder.file('issuing.pem', toPem(issuing.certificate))],
    ...['-CRLfile', folder.file('list.pem', toPem(await makeCrl(issuing, list), 'X509 CRL'))],
    folder.file('subscriber.pem', toPem(certificate)),
  ]);
}

describe.each(['rsa', 'ec'] as const)('a revocation list of an %s authority', (kind) => {
  describe.skipIf(openssl)(openssl ?? 'checked with OpenSSL', () => {
    it('is signed by its issuer and by nobody else', async () => {
      using folder = makeFolder();
      const root = await makeRoot(kind);
      const issuing = await makeIssuing(root, kind);
      const list = folder.file('list.crl', await makeCrl(issuing));
      const verify = (authority: TestAuthority) =>
        runProgram('openssl', [
          ...['crl', '-inform', 'DER', '-in', list, '-noout', '-verify'],
          ...['-CAfile', folder.file('ca.pem', toPem(authority.certificate))],
        ]);
      expect(verify(issuing).output).toContain('verify OK');
      expect(verify(root).output).not.toContain('verify OK');
    });

    it('shows number, times, scope and every reason as OpenSSL knows them', async () => {
      using folder = makeFolder();
      const issuing = await makeIssuing(await makeRoot(kind), kind);
      const reasons = Object.keys(revocationReasons) as RevocationReason[];
      const entries = reasons.map((reason) => ({ serial: formatSerial(makeSerial()), revokedAt, reason }));
      const crl = await makeCrl(issuing, {
        entries,
        number: 4711n,
        nextUpdate: new Date('2050-01-01T00:00:00Z'),
        distributionPoint: publication.crlUri,
      });
      const { stdout } = runProgram('openssl', [
        ...['crl', '-inform', 'DER', '-in', folder.file('list.crl', crl), '-noout', '-text'],
      ]);
      expect(stdout).toContain('Version 2 (0x1)');
      expect(stdout).toContain('Last Update: Dec 31 23:00:00 2026 GMT');
      expect(stdout).toContain('Next Update: Jan  1 00:00:00 2050 GMT');
      expect(stdout).toMatch(/X509v3 CRL Number:\s+(4711|0x1267)\s/);
      expect(stdout).toMatch(/X509v3 Issuing Distribution Point: critical/);
      expect(stdout).toContain(`URI:${publication.crlUri}`);
      const shown = stdout.split('Serial Number: ').slice(1);
      expect(shown.map((text) => text.slice(0, 30))).toEqual(entries.map(({ serial }) => serial));
      expect(shown.map((text) => /Reason Code: \n\s+(.+)/.exec(text)?.[1])).toEqual([
        undefined,
        'Key Compromise',
        'CA Compromise',
        'Affiliation Changed',
        'Superseded',
        'Cessation Of Operation',
        'Certificate Hold',
        'Privilege Withdrawn',
        'AA Compromise',
      ]);
      expect(shown.every((text) => text.includes('Revocation Date: Jun  1 10:20:30 2026 GMT'))).toBe(true);
    });

    it('stops the revoked certificate and lets the others pass', async () => {
      const root = await makeRoot(kind);
      const issuing = await makeIssuing(root, kind);
      const [revoked, other] = [makeSerial(), makeSerial()];
      const entries = [{ serial: formatSerial(revoked), revokedAt, reason: 'keyCompromise' as const }];
      expect((await check(root, issuing, { entries }, revoked)).output).toContain('certificate revoked');
      expect(await check(root, issuing, { entries }, other)).toMatchObject({ status: 0 });
      expect(await check(root, issuing, {}, revoked)).toMatchObject({ status: 0 });
    });

    it('speaks, as a shard, of the certificates that name its address and of no others', async () => {
      const root = await makeRoot(kind);
      const issuing = await makeIssuing(root, kind);
      const serial = makeSerial();
      const entries = [{ serial: formatSerial(serial), revokedAt, reason: 'superseded' as const }];
      const own = { entries, distributionPoint: publication.crlUri };
      expect((await check(root, issuing, own, serial)).output).toContain('certificate revoked');
      const foreign = { entries, distributionPoint: 'http://pki.example.test/pki/other.crl' };
      expect((await check(root, issuing, foreign, serial)).output).toContain('different CRL scope');
    });
  });

  describe.skipIf(gnutls)(gnutls ?? 'checked with GnuTLS', () => {
    it('is signed by its issuer and names the certificate and its reason', async () => {
      using folder = makeFolder();
      const issuing = await makeIssuing(await makeRoot(kind), kind);
      const serial = formatSerial(makeSerial());
      const entries = [{ serial, revokedAt, reason: 'keyCompromise' as const }];
      // This certtool has no way to look at another day than today.
      const crl = await makeCrl(issuing, {
        entries,
        thisUpdate: new Date(Date.now() - 60_000),
        nextUpdate: new Date(Date.now() + 3_600_000),
      });
      const list = folder.file('list.pem', toPem(crl, 'X509 CRL'));
      const issuer = folder.file('issuing.pem', toPem(issuing.certificate));
      const verified = runProgram('certtool', [
        '--verify-crl',
        '--infile',
        list,
        '--load-ca-certificate',
        issuer,
      ]);
      expect(verified.output).toContain('Verification output: Verified.');
      const shown = runProgram('certtool', ['--crl-info', '--infile', list]);
      expect(shown.stdout).toContain(`Serial Number (hex): ${serial.toLowerCase()}`);
    });
  });
});
