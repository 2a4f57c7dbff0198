import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IssuedCertificate } from '../certificates.ts';
import type { Account } from './account.ts';

/** Makes PostgreSQL accept TLS connections only, with this certificate. */
export interface PostgresTls extends IssuedCertificate {
  /** Authority, in PEM, against which clients check the certificate. */
  readonly authority: string;
}

/** Contains no `host` line: unencrypted connections are refused at once. */
const onlyEncrypted = ['127.0.0.1/32', '::1/128']
  .map((address) => `hostssl all all ${address} scram-sha-256\n`)
  .join('');

/**
 * Copies the files into the data directory, where PostgreSQL's own user may read them.
 * @returns its settings
 */
export async function tlsSettings(
  dataDirectory: string,
  { certificate, key }: IssuedCertificate,
  account: Account | undefined,
): Promise<Record<string, string>> {
  const files = { 'rubrica-tls.pem': certificate, 'rubrica-tls.key': key, 'rubrica-hba.conf': onlyEncrypted };
  for (const [name, content] of Object.entries(files)) {
    const path = join(dataDirectory, name);
    await writeFile(path, content, { mode: 0o600 });
    if (account !== undefined) await chown(path, account.uid, account.gid);
  }
  return {
    ssl: 'on',
    ssl_min_protocol_version: 'TLSv1.3',
    ssl_cert_file: join(dataDirectory, 'rubrica-tls.pem'),
    ssl_key_file: join(dataDirectory, 'rubrica-tls.key'),
    hba_file: join(dataDirectory, 'rubrica-hba.conf'),
  };
}
