import { createCipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

export const fileKeyBytes = 32;
/** What encryption adds to a file. */
export const overheadBytes = nonceBytes + tagBytes;

/** AES-256-GCM: nonce first, tag last. A key is for one request's few files, so random nonces cannot meet. */
export function encryptFile(key: Uint8Array, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = cipher.update(bytes);
  cipher.final();
  return Buffer.concat([nonce, body, cipher.getAuthTag()], body.length + overheadBytes);
}
