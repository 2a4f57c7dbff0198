import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { Signer } from '@rubrica/pki';

const verifyInPool = promisify<string, Uint8Array, KeyObject, Uint8Array, boolean>(verify);

/** A signer whose signatures are verified before they are used: a module that signs badly is found here. */
export function checkedSigner(sign: Signer, publicKey: KeyObject): Signer {
  return async (tbs) => {
    const signature = await sign(tbs);
    if (await verifyInPool('sha256', tbs, publicKey, signature)) return signature;
    throw new Error('the signature does not verify');
  };
}
