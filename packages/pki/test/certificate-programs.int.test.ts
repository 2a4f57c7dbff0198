import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatSerial, subscriberProfile, subscriberSubject } from '../src/index.ts';
import {
  makeIssuing,
  makeKey,
  makeRoot,
  makeSerial,
  makeSubscriber,
  makeSubscriberCertificate,
} from './fixtures.ts';
import { makeFolder, missingProgram, runProgram, toPem } from './programs.ts';

const openssl = missingProgram('openssl', 'openssl');
const gnutls = missingProgram('certtool', 'gnutls-bin');

describe.each(['rsa', 'ec'] as const)('a certificate of an %s authority', (kind) => {
  describe.skipIf(openssl)(openssl ?? 'checked with OpenSSL', () => {
    it('verifies strictly up to the root', async () => {
      using folder = makeFolder();
      const root = await makeRoot(kind);
      const issuing = await makeIssuing(root, kind);
      const certificate = await makeSubscriberCertificate(issuing, makeKey('rsa'));
      const verified = runProgram('openssl', [
        ...['verify', '-x509_strict', '-check_ss_sig', '-attime', String(Date.UTC(2027, 0, 1) / 1000)],
        ...['-CAfile', folder.file('root.pem', toPem(root.certificate))],
        ...['-untrusted', folder.file('issuing.pem', toPem(issuing.certificate))],
        folder.file('subscriber.pem', toPem(certificate)),
      ]);
      expect(verified).toMatchObject({ status: 0 });
    });

    it('shows the serial number as we print it and the subject as it was built', async () => {
      using folder = makeFolder();
      const issuing = await makeIssuing(await makeRoot(kind), kind);
      const serial = makeSerial();
      const profile = subscriberProfile('NATURAL_PERSON_WITH_RUC', 'TRADITIONAL_SIGNATURE');
      const subject = subscriberSubject(profile, makeSubscriber(), 'VATEC');
      if (!subject.ok) throw new Error(subject.error.code);
      const certificate = await makeSubscriberCertificate(issuing, makeKey(), {
        profile,
        serial,
        subject: subject.value.attributes,
      });
      const shown = runProgram('openssl', [
        ...[
          'x509',
          '-in',
          folder.file('subscriber.pem', toPem(certificate)),
          '-noout',
          '-serial',
          '-subject',
        ],
        ...['-nameopt', 'utf8,sep_comma_plus,lname', '-ext', 'keyUsage,certificatePolicies'],
      ]);
      expect(shown.output).toContain(`serial=${formatSerial(serial)}\n`);
      expect(shown.output).toContain(
        'countryName=EC,localityName=Quito,organizationIdentifier=VATEC-1790012345001,surname=ÑÚÑEZ PAZMIÑO,' +
          'givenName=MARÍA JOSÉ,serialNumber=IDCEC-1710034065,commonName=MARÍA JOSÉ ÑÚÑEZ PAZMIÑO',
      );
      expect(shown.output).toContain('Digital Signature, Non Repudiation');
      expect(shown.output).toContain('1.3.6.1.4.1.32473.1.1.2.1');
    });
  });

  describe.skipIf(gnutls)(gnutls ?? 'checked with GnuTLS', () => {
    it('verifies as a chain', async () => {
      using folder = makeFolder();
      const root = await makeRoot(kind);
      const issuing = await makeIssuing(root, kind);
      // This certtool has no way to look at another day than today.
      const validity = {
        notBefore: new Date(Date.now() - 60_000),
        notAfter: new Date(Date.now() + 3_600_000),
      };
      const certificate = await makeSubscriberCertificate(issuing, makeKey(), { validity });
      const chain = [certificate, issuing.certificate, root.certificate].map((der) => toPem(der)).join('');
      const verified = runProgram('certtool', [
        ...['--verify', '--infile', folder.file('chain.pem', chain)],
        ...['--load-ca-certificate', folder.file('root.pem', toPem(root.certificate))],
      ]);
      expect(verified.output).toContain('Chain verification output: Verified.');
    });
  });

  it('is signed by its issuer in the eyes of Node', async () => {
    const root = await makeRoot(kind);
    const issuing = await makeIssuing(root, kind);
    const subscriber = new X509Certificate(await makeSubscriberCertificate(issuing, makeKey()));
    const authority = new X509Certificate(issuing.certificate);
    expect(subscriber.checkIssued(authority)).toBe(true);
    expect(subscriber.verify(authority.publicKey)).toBe(true);
    expect(subscriber.verify(new X509Certificate(root.certificate).publicKey)).toBe(false);
    expect(subscriber.subjectAltName).toBe('email:maria@example.test');
  });
});
