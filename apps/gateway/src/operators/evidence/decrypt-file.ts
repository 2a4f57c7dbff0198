import { createDecipheriv, createHash } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** The file is damaged, or not encrypted under this key. */
export class FileDamaged extends Error {
  constructor(cause?: unknown) {
    super('a stored file does not open to what was taken in', { cause });
    this.name = 'FileDamaged';
  }
}

/**
 * Opens a file as `body/files/seal-files.ts` made it: AES-256-GCM, nonce first, tag last. Whole or not at all: bytes are
 * given out only after the tag was checked.
 * @param sha256 of the file itself, hex
 * @throws FileDamaged
 */
export function decryptFile(stored: Buffer, { key, sha256 }: { key: Uint8Array; sha256: string }): Buffer {
  const bytes = open(stored, key);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new FileDamaged();
  return bytes;
}

function open(stored: Buffer, key: Uint8Array): Buffer {
  const end = stored.length - tagBytes;
  if (end < nonceBytes) throw new FileDamaged();
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(stored.subarray(end));
    return Buffer.concat([decipher.update(stored.subarray(nonceBytes, end)), decipher.final()]);
  } catch (cause) {
    throw new FileDamaged(cause);
  }
}
