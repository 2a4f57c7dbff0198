import { createHash } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CeremonyError } from './ceremony.ts';

/** Types of the blocks in exchanged files; OpenSSL reads the same form. */
export type PemLabel = 'CERTIFICATE' | 'CERTIFICATE REQUEST' | 'X509 CRL';

export interface PemBlock {
  readonly label: string;
  readonly der: Buffer;
}

/** Limit of a file's size. Two certificates and a small CRL take about 10 KiB. */
const maxBytes = 1024 * 1024;

export function pem(label: PemLabel, der: Uint8Array): string {
  const lines = Buffer.from(der).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

/**
 * Reads the PEM blocks of a file.
 * @throws CeremonyError for anything else
 */
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
  if (size > maxBytes) throw new CeremonyError(`${path} is larger than any file of a ceremony.`);
  return readFile(path, 'utf8');
}

/** Writes a file and flushes it to the disk: the medium may be pulled out at once. An existing file is replaced. */
export async function writeThrough(path: string, text: string, mode = 0o644): Promise<void> {
  // The folder of a private file is also closed to other users.
  await mkdir(dirname(path), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o755 });
  const file = await open(path, 'w', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Formats a digest in groups of four, for comparison with paper. */
export function formatDigest(der: Uint8Array): string {
  return sha256(der).replaceAll(/.{4}(?=.)/g, '$& ');
}

export function sha256(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex');
}
