import type { KeyObject } from 'node:crypto';
import { type Signer, verifySigned } from '@rubrica/pki';

/** A signer whose signatures are verified before they are used: a module that signs badly is found here. */
export function checkedSigner(sign: Signer, publicKey: KeyObject): Signer {
  return async (tbs) => {
    const signature = await sign(tbs);
    if (await verifySigned(tbs, publicKey, signature)) return signature;
    throw new Error('the signature does not verify');
  };
}
