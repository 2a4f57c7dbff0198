import { createDecipheriv, createHash } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** Damaged file, or one that is not encrypted under this key. */
export class FileDamaged extends Error {
  constructor(cause?: unknown) {
    super('a stored file does not open to what was taken in', { cause });
    this.name = 'FileDamaged';
  }
}

/**
 * Decrypts a file that `body/files/seal-files.ts` encrypted: AES-256-GCM, nonce first, tag last. Bytes are returned
 * only after the tag was verified.
 * @param sha256 of the plaintext, hex
 * @throws FileDamaged
 */
export function decryptFile(stored: Buffer, { key, sha256 }: { key: Uint8Array; sha256: string }): Buffer {
  const bytes = decrypt(stored, key);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new FileDamaged();
  return bytes;
}

function decrypt(stored: Buffer, key: Uint8Array): Buffer {
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
