import { createPublicKey } from 'node:crypto';
import { basename, join } from 'node:path';
import { authorityProfiles, formatName, formatSerial, type ParsedCertificate } from '@rubrica/pki';
import { parseAuthorityCertificate } from '../../issuers/authorities/lint-and-sign.ts';
import { certifyAuthority } from '../../issuers/authorities/make-authority.ts';
import { formatInstant } from '../ceremony.ts';
import type { Difference } from '../differences.ts';
import { formatDigest, pem, readPem, writeThrough } from '../files.ts';
import { type CheckedRequest, checkRequest } from './check-request.ts';
import { loadRootFile, type OpenRoot, openRoot, type RootCeremony, signRootCrl } from './root-ceremony.ts';

export interface SignOptions {
  /** Path of the request. */
  readonly path: string;
  readonly folder: string;
  readonly announced: string;
  readonly mayDiffer: readonly Difference[];
}

/** Certifies the key of a request. A repeated request gets the same certificate with a new CRL. */
export async function signRequest(ceremony: RootCeremony, options: SignOptions): Promise<number> {
  const { config, line } = ceremony;
  const rules = { ...options, file: await loadRootFile(config) };
  const checked = checkRequest(await readPem(options.path), rules);
  const spki = Buffer.from(checked.request.publicKey.raw);
  const root = await openRoot(ceremony, [createPublicKey({ key: spki, format: 'der', type: 'spki' })]);
  const previous = root.file.issued.find(({ request }) => request === checked.digest);
  const certificate = previous
    ? parseAuthorityCertificate('the authority', previous.certificate)
    : await certifyRequest(ceremony, root, checked);
  const issued = previous
    ? root.file.issued
    : [...root.file.issued, createEntry(ceremony, checked, certificate)];
  const crl = await signRootCrl(ceremony, { ...root, file: { ...root.file, issued } });
  const answer = join(options.folder, answerName(options.path));
  const { certificate: rootCertificate } = root.authority;
  await writeThrough(
    answer,
    [
      pem('CERTIFICATE', certificate.raw),
      pem('CERTIFICATE', rootCertificate.raw),
      pem('X509 CRL', crl.der),
    ].join(''),
  );
  line(
    `\n  ${previous ? 'The request was signed before; the same certificate was written again' : 'The request was signed'}.`,
  );
  line(`    name     ${formatName(certificate.subject)}`);
  line(`    serial   ${formatSerial(certificate.serial)}`);
  line(`    valid    until ${formatInstant(certificate.notAfter.date)}`);
  line(`    CRL      ${crl.told}`);
  line(`    root     SHA-256 ${formatDigest(rootCertificate.raw)}`);
  line(`\n  Carry ${answer} to the service. There: npm run ca -- install <the file>`);
  line('  with --root and the SHA-256 of the root from paper, the first time.\n');
  return 0;
}

function certifyRequest(
  { config, now }: RootCeremony,
  { authority }: OpenRoot,
  { request, subject, keyAlgorithm }: CheckedRequest,
): Promise<ParsedCertificate> {
  const spki = Buffer.from(request.publicKey.raw);
  const plan = {
    profile: authorityProfiles.issuing,
    subject,
    publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }),
    keyAlgorithm,
    parent: authority,
    pkiBaseUrl: config.pki,
  };
  return certifyAuthority(plan, authority, now);
}

function createEntry({ now }: RootCeremony, { digest }: CheckedRequest, certificate: ParsedCertificate) {
  return {
    request: digest,
    certificate: Buffer.from(certificate.raw).toString('base64'),
    at: now.toISOString(),
  };
}

function answerName(request: string): string {
  const name = basename(request).replace(/(-request)?(\.[a-z]+)?$/, '');
  return `${name}-answer.pem`;
}
