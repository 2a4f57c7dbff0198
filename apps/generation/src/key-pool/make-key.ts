import { generateKeyPair } from 'node:crypto';
import { type KeyAlgorithm, keyAlgorithms } from '@rubrica/pki';

/** A fresh key pair: SubjectPublicKeyInfo and PKCS#8, DER. Wipe `pkcs8` once it is packed. */
export interface SubscriberKey {
  readonly spki: Uint8Array;
  readonly pkcs8: Uint8Array;
}

const encodings = {
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
} as const;

/** Makes one key in the thread pool, encodings included, so that this thread does none of it. */
export function makeSubscriberKey(algorithm: KeyAlgorithm): Promise<SubscriberKey> {
  const { promise, resolve, reject } = Promise.withResolvers<SubscriberKey>();
  const settle = (error: Error | null, spki: Uint8Array, pkcs8: Uint8Array) =>
    error ? reject(error) : resolve({ spki, pkcs8 });
  const wanted = keyAlgorithms[algorithm];
  if (wanted.kind === 'rsa') {
    generateKeyPair('rsa', { modulusLength: wanted.modulusBits, ...encodings }, settle);
  } else {
    generateKeyPair('ec', { namedCurve: wanted.curve, ...encodings }, settle);
  }
  return promise;
}
