import { generateKeyPair } from 'node:crypto';
import { type KeyAlgorithm, keyAlgorithms } from '@rubrica/pki';

/** New key pair: SubjectPublicKeyInfo and PKCS#8, DER. Wipe `pkcs8` after use. */
export interface SubscriberKey {
  readonly spki: Uint8Array;
  readonly pkcs8: Uint8Array;
}

const encodings = {
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
} as const;

/** Generates and encodes one key in the thread pool, off the main thread. */
export function makeSubscriberKey(algorithm: KeyAlgorithm): Promise<SubscriberKey> {
  const { promise, resolve, reject } = Promise.withResolvers<SubscriberKey>();
  const settle = (error: Error | null, spki: Uint8Array, pkcs8: Uint8Array) =>
    error ? reject(error) : resolve({ spki, pkcs8 });
  const spec = keyAlgorithms[algorithm];
  if (spec.kind === 'rsa') {
    generateKeyPair('rsa', { modulusLength: spec.modulusBits, ...encodings }, settle);
  } else {
    generateKeyPair('ec', { namedCurve: spec.curve, ...encodings }, settle);
  }
  return promise;
}
