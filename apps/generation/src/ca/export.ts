import { X509Certificate } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AuthorityRecord, readAuthorityFile } from '../issuers/authorities/authority-file.ts';
import { type Ceremony, CeremonyError, findActiveAuthority } from './ceremony.ts';

function pem(certificate: string): string {
  return new X509Certificate(Buffer.from(certificate, 'base64')).toString();
}

/** Writes the certificates, without any key, as PEM files. */
export async function exportCertificates(
  { config, now, line }: Pick<Ceremony, 'config' | 'now' | 'line'>,
  folder: string,
): Promise<number> {
  const file = await readAuthorityFile(config.authority.directory);
  const active = file && findActiveAuthority(file, now);
  if (!file || !active) throw new CeremonyError('No authority signs now, so there is no chain to write.');
  const { authorities } = file;
  const parents = authorities.filter(({ name }) => name === active.parent);
  const files = new Map([
    ['chain.pem', [active, ...parents].map(({ certificate }) => pem(certificate)).join('')],
  ]);
  for (const record of authorities) for (const [name, text] of listPemFiles(record)) files.set(name, text);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) {
    await writeFile(join(folder, name), text);
    line(`  ${join(folder, name)}`);
  }
  return 0;
}

function listPemFiles({ name, certificate, responder }: AuthorityRecord): [string, string][] {
  return [
    [`${name}.pem`, pem(certificate)],
    ...(responder ? ([[`${name}-ocsp.pem`, pem(responder.certificate)]] as [string, string][]) : []),
  ];
}
