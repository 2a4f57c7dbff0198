import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  scrypt,
} from 'node:crypto';
import { promisify } from 'node:util';
import { type KeyAlgorithm, keyAlgorithms, keySigner, type Signer } from '@rubrica/pki';
import { z } from 'zod';
import { CeremonyError } from '../ceremony.ts';

/** PKCS#8 key under AES-256-GCM, with a key that scrypt derives from the passphrase. */
export const passphraseReference = z.object({
  kind: z.literal('passphrase'),
  salt: z.base64(),
  nonce: z.base64(),
  sealed: z.base64(),
});
export type PassphraseReference = z.infer<typeof passphraseReference>;

/** Cost of one guess: 32 MiB and a tenth of a second. A passphrase has at least 20 characters. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const cipherName = 'aes-256-gcm';
const tagOctets = 16;

const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

export async function makePassphraseKey(algorithm: KeyAlgorithm, passphrase: string) {
  const spec = keyAlgorithms[algorithm];
  const { publicKey, privateKey } =
    spec.kind === 'rsa'
      ? await promisify(generateKeyPair)('rsa', { modulusLength: spec.modulusBits })
      : await promisify(generateKeyPair)('ec', { namedCurve: spec.curve });
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(cipherName, await derive(passphrase, salt, 32, cost), nonce);
  cipher.setAAD(encodeSpki(publicKey));
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const sealed = Buffer.concat([cipher.update(pkcs8), cipher.final(), cipher.getAuthTag()]);
  pkcs8.fill(0);
  const reference: PassphraseReference = {
    kind: 'passphrase',
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    sealed: sealed.toString('base64'),
  };
  return { reference, publicKey, sign: keySigner(privateKey) };
}

/**
 * Opens the key with the passphrase.
 * @throws CeremonyError when the passphrase is wrong, or the key does not belong to `publicKey`
 */
export async function openPassphraseKey(
  { salt, nonce, sealed }: PassphraseReference,
  publicKey: KeyObject,
  passphrase: string,
): Promise<Signer> {
  const octets = Buffer.from(sealed, 'base64');
  const key = await derive(passphrase, Buffer.from(salt, 'base64'), 32, cost);
  const pkcs8 = decrypt({ key, nonce: Buffer.from(nonce, 'base64'), aad: encodeSpki(publicKey), octets });
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  pkcs8.fill(0);
  if (!createPublicKey(privateKey).equals(publicKey)) throw new CeremonyError("The key is not the root's.");
  return keySigner(privateKey);
}

function decrypt({ key, nonce, aad, octets }: Record<'key' | 'nonce' | 'aad' | 'octets', Buffer>): Buffer {
  try {
    const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagOctets });
    decipher.setAAD(aad);
    decipher.setAuthTag(octets.subarray(-tagOctets));
    return Buffer.concat([decipher.update(octets.subarray(0, -tagOctets)), decipher.final()]);
  } catch (cause) {
    throw new CeremonyError('ROOT_PASSPHRASE does not open the key of the root.', { cause });
  }
}

function encodeSpki(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}
