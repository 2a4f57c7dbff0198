import { formatName, formatSerial } from '@rubrica/pki';
import { parseAuthorityCertificate } from '../../issuers/authorities/lint-and-sign.ts';
import { formatInstant } from '../ceremony.ts';
import { formatDigest } from '../files.ts';
import { loadRootFile, type RootCeremony } from './root-ceremony.ts';
import type { RootKeyReference } from './root-keys.ts';

/** Prints the history of the root. Needs no key. */
export async function showRoot({ config, line }: Pick<RootCeremony, 'config' | 'line'>): Promise<number> {
  const { certificate: encoded, key, issued, crlNumber } = await loadRootFile(config);
  const root = parseAuthorityCertificate('root', encoded);
  line(`\n  ${formatName(root.subject)}`);
  line(`    valid    until ${formatInstant(root.notAfter.date)}`);
  line(`    key      ${formatRootKeyLocation(key)}`);
  line(`    SHA-256  ${formatDigest(root.raw)}`);
  line(`    CRLs     ${crlNumber}`);
  for (const { request, certificate, at } of issued) {
    const { subject, serial } = parseAuthorityCertificate('an authority', certificate);
    line(`\n  ${formatName(subject)}`);
    line(`    serial   ${formatSerial(serial)}`);
    line(`    signed   ${formatInstant(new Date(at))}, for the request ${request}`);
  }
  line();
  return 0;
}

export function formatRootKeyLocation(key: RootKeyReference): string {
  return key.kind === 'pkcs11'
    ? `in the token, labelled ${key.label}`
    : 'in the folder, under the passphrase';
}
