import type { KeyObject } from 'node:crypto';
import { type Signer, verifySigned } from '@rubrica/pki';

/** Wraps a signer and verifies each signature before use, which detects a faulty module. */
export function createCheckedSigner(sign: Signer, publicKey: KeyObject): Signer {
  return async (tbs) => {
    const signature = await sign(tbs);
    if (await verifySigned(tbs, publicKey, signature)) return signature;
    throw new Error('the signature does not verify');
  };
}
