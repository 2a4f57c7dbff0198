import { createCipheriv } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

export const fileKeyBytes = 32;
/** What encryption adds to a file. */
export const overheadBytes = nonceBytes + tagBytes;

/**
 * AES-256-GCM: nonce first, tag last. The key is new for each call, so its files are numbered: the deterministic
 * nonce of NIST SP 800-38D §8.2.1, which cannot repeat, and costs no random bytes.
 *
 * @param position of the file among those under this key
 */
export function encryptFile(key: Uint8Array, position: number, bytes: Uint8Array): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUInt32BE(position, nonceBytes - 4);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = cipher.update(bytes);
  cipher.final();
  return Buffer.concat([nonce, body, cipher.getAuthTag()], body.length + overheadBytes);
}
