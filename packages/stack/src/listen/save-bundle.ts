import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../setup/files.ts';
import { parseBody } from './body-view.ts';

/** First byte of every PKCS#12: a DER SEQUENCE. */
const sequenceTag = 0x30;

/**
 * Writes the certificate file of an issued event. A repeat of the event replaces the file with the same content.
 * @returns its path; undefined if the body contains no file
 */
export async function saveBundle(folder: string, body: Buffer): Promise<string | undefined> {
  const whole = Object(parseBody(body)) as Record<string, unknown>;
  const { file, referenceTransaction } = (whole.data ?? whole) as Record<string, unknown>;
  if (typeof file !== 'string' || typeof referenceTransaction !== 'string') return undefined;
  const bytes = Buffer.from(file, 'base64');
  if (bytes[0] !== sequenceTag) return undefined;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${fileName(referenceTransaction)}.p12`);
  await replaceFile(path, bytes);
  return path;
}

/**
 * Derives a safe file name. References are chosen by the partner and may contain `../`. A hash distinguishes two that
 * become equal.
 */
function fileName(reference: string): string {
  const name = reference.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 100);
  if (name === reference && !name.startsWith('.')) return name;
  const hash = createHash('sha256').update(reference).digest('hex').slice(0, 8);
  return `${name.replace(/^\.+/, '_')}-${hash}`;
}
