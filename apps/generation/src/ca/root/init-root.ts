import { join } from 'node:path';
import { authorityProfiles, formatName, formatSerial } from '@rubrica/pki';
import { buildAuthorityName, certifyAuthority } from '../../issuers/authorities/make-authority.ts';
import { CeremonyError, formatInstant } from '../ceremony.ts';
import { formatDigest, pem, writeThrough } from '../files.ts';
import type { RootCeremony } from './root-ceremony.ts';
import { readRootFile, refuseServiceFolder, writeRootFile } from './root-file.ts';
import { formatRootKeyLocation } from './show-root.ts';

/** Creates the root where none exists, and exports its certificate. */
export async function initRoot({ config, keys, now, line }: RootCeremony, folder: string): Promise<number> {
  const { directory, authority } = config;
  await refuseServiceFolder(directory);
  if ((await readRootFile(directory)) !== undefined) {
    throw new CeremonyError(`${directory} holds a root already; it stays as it is.`);
  }
  const { reference, publicKey, sign } = await keys.make();
  const plan = {
    profile: authorityProfiles.root,
    subject: buildAuthorityName(authority.organization, `${authority.commonName} Root CA`),
    publicKey,
    keyAlgorithm: authority.keyAlgorithm,
    parent: undefined,
    pkiBaseUrl: config.pki,
  };
  const certificate = await certifyAuthority(plan, { sign, publicKey }, now);
  const encoded = Buffer.from(certificate.raw).toString('base64');
  const file = { version: 1 as const, certificate: encoded, key: reference, crlNumber: 0, issued: [] };
  await writeRootFile(directory, file);
  const exported = join(folder, 'root.pem');
  await writeThrough(exported, pem('CERTIFICATE', certificate.raw));
  line('\n  The root was made.');
  line(`    name     ${formatName(certificate.subject)}`);
  line(`    serial   ${formatSerial(certificate.serial)}`);
  line(`    valid    until ${formatInstant(certificate.notAfter.date)}`);
  line(`    key      ${authority.keyAlgorithm}, ${formatRootKeyLocation(reference)}`);
  line(`    SHA-256  ${formatDigest(certificate.raw)}`);
  line(`\n  ${exported} is for everybody who will trust this root. Write the SHA-256 down on paper:`);
  line('  the service is told it when it installs its first answer. Nothing else leaves this place.\n');
  return 0;
}
