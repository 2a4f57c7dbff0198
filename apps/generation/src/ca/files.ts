import { createHash } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CeremonyError } from './ceremony.ts';

/** What is carried between the two places, in the form that OpenSSL reads too. */
export type PemLabel = 'CERTIFICATE' | 'CERTIFICATE REQUEST' | 'X509 CRL';

export interface PemBlock {
  readonly label: string;
  readonly der: Buffer;
}

/** Two certificates and a CRL of few entries have some 10 KiB. */
const mostOctets = 1024 * 1024;

export function pem(label: PemLabel, der: Uint8Array): string {
  const lines = Buffer.from(der).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

/** The blocks of a file that came from elsewhere. @throws CeremonyError when it is none of ours */
export async function readPem(path: string): Promise<PemBlock[]> {
  const text = await readBounded(path);
  const blocks: PemBlock[] = [];
  const rest = text.replaceAll(
    /-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\s]+)-----END \1-----/g,
    (_, label: string, body: string) => {
      blocks.push({ label, der: Buffer.from(body, 'base64') });
      return '';
    },
  );
  if (blocks.length === 0 || rest.trim() !== '') throw new CeremonyError(`${path} is not a PEM file.`);
  return blocks;
}

async function readBounded(path: string): Promise<string> {
  const { size } = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new CeremonyError(`${path} cannot be read: ${cause.code}`, { cause });
  });
  if (size > mostOctets) throw new CeremonyError(`${path} is larger than any file of a ceremony.`);
  return readFile(path, 'utf8');
}

/** Written through to the disk: it may be pulled out at once. One of the same name is replaced. */
export async function writeThrough(path: string, text: string, mode = 0o644): Promise<void> {
  // A folder that is made for what nobody else may read is closed to everybody else too.
  await mkdir(dirname(path), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o755 });
  const file = await open(path, 'w', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** As people compare it from a screen with paper: in groups of four. */
export function formatDigest(der: Uint8Array): string {
  return sha256(der).replaceAll(/.{4}(?=.)/g, '$& ');
}

export function sha256(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex');
}
