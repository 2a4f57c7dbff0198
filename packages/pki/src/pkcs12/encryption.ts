import { createCipheriv, randomBytes } from 'node:crypto';
import { integer, nullValue, octetString, oid, sequence } from '../der/write.ts';
import { oids } from '../oids.ts';
import { deriveKey, pkcs12Kdf, purposes } from './key-derivation.ts';
import type { passwordForms } from './password.ts';

export type Encrypted = { algorithm: Uint8Array; ciphertext: Uint8Array };

/** Encrypts one part of the file; the algorithm identifier describes how to decrypt it. */
export type PartCipher = (plaintext: Uint8Array) => Promise<Encrypted>;

type Forms = ReturnType<typeof passwordForms>;

/**
 * Creates the PBES2 cipher: PBKDF2-HMAC-SHA-256 and AES-256-CBC (RFC 8018 §6.2). One derivation serves every part of a
 * file: the parts share password and salt, and each has its own initialisation vector.
 */
export async function modernCipher(password: Forms, iterations: number): Promise<PartCipher> {
  const salt = randomBytes(16);
  const key = await deriveKey({ password: password.utf8, salt, iterations, length: 32, digest: 'sha256' });
  const derivation = sequence(
    oid(oids.pbkdf2),
    sequence(octetString(salt), integer(iterations), sequence(oid(oids.hmacWithSha256), nullValue())),
  );
  return async (plaintext) => {
    const iv = randomBytes(16);
    const scheme = sequence(oid(oids.aes256Cbc), octetString(iv));
    return {
      algorithm: sequence(oid(oids.pbes2), sequence(derivation, scheme)),
      ciphertext: encrypt('aes-256-cbc', { key, iv, plaintext }),
    };
  };
}

/**
 * Creates the cipher pbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292 Appendix C) for programs that know nothing newer. Key
 * and vector derive from password and salt alone, so every part has its own salt.
 */
export function legacyCipher(password: Forms, iterations: number): PartCipher {
  return async (plaintext) => {
    const salt = randomBytes(8);
    const common = { password: password.bmp, salt, iterations, digest: 'sha1' } as const;
    const key = await pkcs12Kdf({ ...common, purpose: purposes.key, length: 24 });
    const iv = await pkcs12Kdf({ ...common, purpose: purposes.iv, length: 8 });
    return {
      algorithm: sequence(oid(oids.pbeWithSha1And3Des), sequence(octetString(salt), integer(iterations))),
      ciphertext: encrypt('des-ede3-cbc', { key, iv, plaintext }),
    };
  };
}

function encrypt(name: string, part: { key: Uint8Array; iv: Uint8Array; plaintext: Uint8Array }): Buffer {
  const cipher = createCipheriv(name, part.key, part.iv);
  return Buffer.concat([cipher.update(part.plaintext), cipher.final()]);
}
