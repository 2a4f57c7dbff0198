import { createHash, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Pkcs12Encoding, writePkcs12 } from '../src/index.ts';
import {
  makeIssuing,
  makeKey,
  makeRoot,
  makeSubscriberCertificate,
  publication,
  type TestAuthority,
  type TestKey,
} from './fixtures.ts';
import { makeFolder, missingProgram, runProgram, toPem } from './programs.ts';

/** U+0020 to U+007E, what a password may hold: programs disagree about the bytes of every other character. */
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('');

const passwords = {
  'letters, figures and signs': 'Secreto-123 $x"y\\z',
  'spaces inside and at both ends': '  dos  espacios  ',
  'eight spaces': ' '.repeat(8),
  '64 characters': 'aB3-'.repeat(16),
  'every character below @': printable.slice(0, 48),
  'every character from P on, and some before': printable.slice(-64),
};

const encodings: Pkcs12Encoding[] = ['modern', 'legacy'];

describe.each(['rsa', 'ec'] as const)('a PKCS#12 file with an %s key', (kind) => {
  let root: TestAuthority;
  let issuing: TestAuthority;
  let key: TestKey;
  let certificate: Uint8Array;

  beforeAll(async () => {
    root = await makeRoot(kind);
    issuing = await makeIssuing(root, kind);
    key = makeKey(kind);
    // Without a purpose extension, as most mail and document programs want it.
    certificate = await makeSubscriberCertificate(issuing, key, {
      publication: { ...publication, documentSigning: false },
    });
  });

  const write = (password: string, encoding: Pkcs12Encoding) =>
    writePkcs12({
      privateKey: key.pkcs8,
      certificate,
      chain: [issuing.certificate, root.certificate],
      password,
      friendlyName: 'MARÍA JOSÉ ÑÚÑEZ PAZMIÑO',
      encoding,
    });

  describe.each(encodings)('in the %s encoding', (encoding) => {
    const openssl = missingProgram('openssl', 'openssl');
    describe.skipIf(openssl)(openssl ?? 'opened with OpenSSL', () => {
      it.each(Object.entries(passwords))('gives key and chain with %s', async (_, password) => {
        using folder = makeFolder();
        const p12 = folder.file('subscriber.p12', await write(password, encoding));
        const secret = folder.file('password', `${password}\n`);
        const opened = runProgram('openssl', ['pkcs12', '-in', p12, '-passin', `file:${secret}`, '-noenc']);
        expect(opened).toMatchObject({ status: 0 });
        expect(opened.stdout.match(/BEGIN CERTIFICATE/g)).toHaveLength(3);
        expect(opened.stdout).toContain('BEGIN PRIVATE KEY');
        // On the key and on its certificate; the authorities have names of their own, and no local key id. OpenSSL prints the letters beyond ASCII as Latin-1.
        expect(opened.stdout.match(/friendlyName: MAR.A JOS. ...EZ PAZMI.O$/gm)).toHaveLength(2);
        expect(opened.stdout.match(/friendlyName: Test (Issuing|Root) CA$/gm)).toHaveLength(2);
        expect(opened.stdout.match(/localKeyID: /g)).toHaveLength(2);
        const wrong = runProgram('openssl', [
          'pkcs12',
          '-in',
          p12,
          '-passin',
          'pass:something else',
          '-noenc',
        ]);
        expect(wrong.status).not.toBe(0);
      });

      it.each(Object.entries(passwords))(
        'carries a key that signs a CMS message which verifies up to the root, with %s',
        async (_, password) => {
          using folder = makeFolder();
          const p12 = folder.file('subscriber.p12', await write(password, encoding));
          const secret = folder.file('password', `${password}\n`);
          const part = (name: string, ...select: string[]) => {
            const at = folder.file(name, '');
            const taken = [
              'pkcs12',
              '-in',
              p12,
              '-passin',
              `file:${secret}`,
              '-noenc',
              '-out',
              at,
              ...select,
            ];
            expect(runProgram('openssl', taken)).toMatchObject({ status: 0 });
            return at;
          };
          const signer = part('signer.pem', '-clcerts');
          const chain = part('chain.pem', '-cacerts', '-nokeys');
          const text = folder.file('message.txt', 'Yo firmo.\n');
          const roots = folder.file('root.pem', toPem(root.certificate));
          const signed = `${folder.path}/message.p7m`;
          expect(
            runProgram('openssl', [
              ...['cms', '-sign', '-binary', '-nodetach', '-in', text, '-signer', signer, '-certfile', chain],
              ...['-outform', 'DER', '-out', signed],
            ]),
          ).toMatchObject({ status: 0 });
          const verified = runProgram('openssl', [
            ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', signed, '-CAfile', roots],
            ...['-attime', String(Date.UTC(2027, 0, 1) / 1000)],
          ]);
          expect(verified).toMatchObject({ status: 0, stdout: 'Yo firmo.\n' });
        },
      );
    });

    const nss = missingProgram('pk12util', 'libnss3-tools');
    describe.skipIf(nss)(nss ?? 'opened with NSS', () => {
      it.each(Object.entries(passwords))('imports into a key store with %s', async (_, password) => {
        using folder = makeFolder();
        const p12 = folder.file('subscriber.p12', await write(password, encoding));
        const secret = folder.file('password', `${password}\n`);
        expect(runProgram('certutil', ['-N', '-d', `sql:${folder.path}`, '--empty-password'])).toMatchObject({
          status: 0,
        });
        const imported = runProgram('pk12util', ['-i', p12, '-w', secret, '-d', `sql:${folder.path}`]);
        expect(imported).toMatchObject({ status: 0 });
        const keys = runProgram('certutil', ['-K', '-d', `sql:${folder.path}`]);
        expect(keys.output).toContain('MARÍA JOSÉ ÑÚÑEZ PAZMIÑO');
      });
    });

    const gnutls = missingProgram('certtool', 'gnutls-bin');
    describe.skipIf(gnutls)(gnutls ?? 'opened with GnuTLS', () => {
      it.each(Object.entries(passwords))(
        'verifies the MAC and shows the key with %s',
        async (_, password) => {
          using folder = makeFolder();
          const p12 = folder.file('subscriber.p12', await write(password, encoding));
          const shown = runProgram('certtool', [
            ...['--p12-info', '--inder', '--infile', p12, '--password', password],
          ]);
          expect(shown).toMatchObject({ status: 0 });
          expect(shown.output).toContain('PRIVATE KEY-----');
          expect(shown.output.match(/BEGIN CERTIFICATE/g)).toHaveLength(3);
          expect(shown.output.match(/Friendly name: MARÍA JOSÉ ÑÚÑEZ PAZMIÑO$/gm)).toHaveLength(2);
          // Outside the Base64 of the chain, which once in some hundred runs spells "fail".
          const said = shown.output.replaceAll(/-----BEGIN [\s\S]*?-----END /g, '');
          expect(said).not.toMatch(/fail|error/i);
        },
      );
    });

    const java = missingProgram('keytool', 'default-jre-headless');
    describe.skipIf(java)(java ?? 'opened with Java keytool', () => {
      // Two passwords hold every character; a virtual machine takes seconds to start.
      const told = Object.entries(passwords).filter(([name]) => /^every|ends$/.test(name));
      it.each(told)('lists the entry and its chain with %s', async (_, password) => {
        using folder = makeFolder();
        const p12 = folder.file('subscriber.p12', await write(password, encoding));
        const listed = runProgram('keytool', [
          ...['-list', '-v', '-keystore', p12, '-storetype', 'PKCS12', '-storepass', password],
        ]);
        expect(listed).toMatchObject({ status: 0 });
        expect(listed.output).toContain('PrivateKeyEntry');
        // Java keeps aliases in lower case.
        expect(listed.output).toMatch(/(Alias name|Nombre de Alias): maría josé ñúñez pazmiño$/im);
        const print = createHash('sha256').update(certificate).digest('hex').toUpperCase();
        expect(listed.output.replaceAll(':', '')).toContain(print);
        expect(new X509Certificate(certificate).subject).toContain('1710034065');
        expect(listed.output).toMatch(/(chain length|longitud de la cadena)[^\d]*3/i);
      });
    });
  });
});
