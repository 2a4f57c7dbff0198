import { type KeyObject, sign } from 'node:crypto';
import type { Signer } from './tbs.ts';

/** Signer over a key in this process: RSASSA-PKCS1-v1_5 or ECDSA, SHA-256, in the thread pool. */
export function keySigner(key: KeyObject): Signer {
  return (tbs) =>
    new Promise((resolve, reject) => {
      sign('sha256', tbs, { key, dsaEncoding: 'der' }, (error, signature) => {
        if (error) reject(error);
        else resolve(signature);
      });
    });
}
