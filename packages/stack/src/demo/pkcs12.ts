import { execFile } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface OpenedBundle {
  readonly openssl: string;
  readonly subject: string;
  readonly issuer: string;
  /** Upper-case hexadecimal. */
  readonly serialNumber: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly keyDescription: string;
  readonly certificateCount: number;
}

/** Returns the version of OpenSSL; undefined where it is not installed. */
export async function findOpenssl(): Promise<string | undefined> {
  return run('openssl', ['version']).then(
    ({ stdout }) => stdout.replace(/\(.*/s, '').trim(),
    () => undefined,
  );
}

/**
 * Opens the file with OpenSSL. Checks that the key matches the certificate and that the certificate chains to the root
 * inside. Throws OpenSSL's message when a check fails.
 */
export async function openBundle(file: string, password: string, openssl: string): Promise<OpenedBundle> {
  const env = { ...process.env, BUNDLE_PASSWORD: password };
  const read = async (...args: string[]) =>
    (await run('openssl', ['pkcs12', '-in', file, '-passin', 'env:BUNDLE_PASSWORD', ...args], { env }))
      .stdout;
  const own = new X509Certificate(onlyPem(await read('-nokeys', '-clcerts')));
  const chain = pemBlocks(await read('-nokeys', '-cacerts'));
  const key = onlyPem(await read('-nocerts', '-noenc'), 'PRIVATE KEY');
  checkKey(own, key);
  await checkChain(own, chain);
  return {
    openssl,
    subject: own.subject.replaceAll('\n', ', '),
    issuer: own.issuer.replaceAll('\n', ', '),
    serialNumber: own.serialNumber,
    notBefore: own.validFrom,
    notAfter: own.validTo,
    keyDescription: describeKey(own),
    certificateCount: chain.length + 1,
  };
}

function checkKey(certificate: X509Certificate, privateKeyPem: string): void {
  if (certificate.checkPrivateKey(createPrivateKey(privateKeyPem))) return;
  throw new Error('The private key in the file does not belong to its certificate.');
}

/**
 * Verifies the chain with OpenSSL. Self-signed certificates of the file count as roots; OpenSSL receives all others as
 * untrusted.
 */
async function checkChain(own: X509Certificate, chain: readonly string[]): Promise<void> {
  const isRoot = (pem: string) => {
    const certificate = new X509Certificate(pem);
    return certificate.subject === certificate.issuer;
  };
  const folder = await mkdtemp(join(tmpdir(), 'rubrica-demo-'));
  try {
    const path = (name: string) => join(folder, name);
    await writeFile(path('own.pem'), own.toString());
    await writeFile(path('root.pem'), chain.filter(isRoot).join('\n'));
    await writeFile(path('between.pem'), chain.filter((pem) => !isRoot(pem)).join('\n'));
    await run('openssl', [
      ...['verify', '-x509_strict', '-CAfile', path('root.pem'), '-untrusted', path('between.pem')],
      path('own.pem'),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function describeKey({ publicKey }: X509Certificate): string {
  const { modulusLength, namedCurve } = publicKey.asymmetricKeyDetails ?? {};
  return `${(publicKey.asymmetricKeyType ?? 'key').toUpperCase()} ${modulusLength ?? namedCurve ?? ''}`.trim();
}

function pemBlocks(text: string, kind = 'CERTIFICATE'): string[] {
  return text.match(new RegExp(`-----BEGIN ${kind}-----[\\s\\S]+?-----END ${kind}-----`, 'g')) ?? [];
}

function onlyPem(text: string, kind?: string): string {
  const [block] = pemBlocks(text, kind);
  if (block === undefined) throw new Error(`The file holds no ${(kind ?? 'certificate').toLowerCase()}.`);
  return block;
}
