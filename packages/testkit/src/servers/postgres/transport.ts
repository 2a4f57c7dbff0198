import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IssuedCertificate } from '../certificates.ts';
import type { Account } from './account.ts';

/** PostgreSQL takes TLS connections only, and shows this certificate. */
export interface PostgresTls extends IssuedCertificate {
  /** PEM: what clients hold the certificate against. */
  readonly authority: string;
}

/** No `host` line: what is not encrypted is refused before anything is asked. */
const onlyEncrypted = ['127.0.0.1/32', '::1/128']
  .map((address) => `hostssl all all ${address} scram-sha-256\n`)
  .join('');

/** Puts the files into the data directory, where PostgreSQL's own user may read them. @returns its settings */
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
