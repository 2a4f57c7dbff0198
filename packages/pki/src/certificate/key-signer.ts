import { createSign, createVerify, type KeyObject, sign, verify } from 'node:crypto';
import { forEachSlice } from './for-each-slice.ts';
import type { Signer, ToBeSigned } from './tbs.ts';

/**
 * Creates a signer over a key in this process: RSASSA-PKCS1-v1_5 or ECDSA, SHA-256, in the thread pool. Parts are
 * hashed on this thread, because the pool would copy them into one piece; the hash is signed in the same tick.
 */
export function keySigner(key: KeyObject): Signer {
  const options = { key, dsaEncoding: 'der' } as const;
  return async (tbs) => {
    if (tbs instanceof Uint8Array) return inPool((done) => sign('sha256', tbs, options, done));
    const signing = createSign('sha256');
    await forEachSlice(tbs, (octets) => signing.update(octets));
    return signing.sign(options);
  };
}

/** Verifies a signature of such a signer; parts are hashed as in `keySigner`. */
export async function verifySigned(tbs: ToBeSigned, key: KeyObject, signature: Uint8Array): Promise<boolean> {
  const options = { key, dsaEncoding: 'der' } as const;
  if (tbs instanceof Uint8Array) return inPool((done) => verify('sha256', tbs, options, signature, done));
  const verifying = createVerify('sha256');
  await forEachSlice(tbs, (octets) => verifying.update(octets));
  return verifying.verify(options, signature);
}

function inPool<T>(start: (done: (error: Error | null, result: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, result) => (error ? reject(error) : resolve(result)));
  });
}
