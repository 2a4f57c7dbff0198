import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';

export const ivBytes = 12;
export const tagBytes = 16;
const contentKeyBytes = 32;
export const wrappedKeyBytes = contentKeyBytes + 8;
/** RFC 3394 §2.2.3.1. */
const wrapIv = Buffer.alloc(8, 0xa6);

export interface EncryptedContent {
  readonly wrappedKey: Buffer;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/**
 * Encrypts a message with its own content key. GCM's limits on one key (2^32 random nonces, 64 GiB) are then never
 * near, however long the wrapping key serves. AES-KW takes no nonce. Keys become key objects first: a cipher with raw
 * bytes takes three to eight times as long to start.
 * @param aad the encoded header, authenticated with the content
 */
export function encryptContent(data: Uint8Array, wrappingKey: Buffer, aad: string): EncryptedContent {
  const contentKey = randomBytes(contentKeyBytes);
  const wrap = createCipheriv('id-aes256-wrap', createSecretKey(wrappingKey), wrapIv);
  const wrappedKey = Buffer.concat([wrap.update(contentKey), wrap.final()]);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(contentKey), iv, {
    authTagLength: tagBytes,
  });
  contentKey.fill(0);
  cipher.setAAD(Buffer.from(aad, 'ascii'));
  const ciphertext = Buffer.concat([cipher.update(data), cipher.final()]);
  return { wrappedKey, iv, ciphertext, tag: cipher.getAuthTag() };
}

/**
 * Decrypts a message.
 * @throws Error if anything was altered, equal for every alteration
 */
export function decryptContent(
  { wrappedKey, iv, ciphertext, tag }: EncryptedContent,
  wrappingKey: Buffer,
  aad: string,
): Buffer {
  const contentKey = unwrapKey(wrappedKey, wrappingKey);
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(contentKey), iv, {
    authTagLength: tagBytes,
  });
  contentKey.fill(0);
  decipher.setAAD(Buffer.from(aad, 'ascii'));
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/**
 * Unwraps the content key. If that fails, a random key is used, so that it fails like altered content (RFC 7516 §11.5).
 */
function unwrapKey(wrappedKey: Buffer, wrappingKey: Buffer): Buffer {
  try {
    const unwrap = createDecipheriv('id-aes256-wrap', createSecretKey(wrappingKey), wrapIv);
    return Buffer.concat([unwrap.update(wrappedKey), unwrap.final()]);
  } catch {
    return randomBytes(contentKeyBytes);
  }
}
