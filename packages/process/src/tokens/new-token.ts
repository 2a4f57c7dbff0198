import { createHash } from 'node:crypto';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';

/**
 * Creates the binding of a new access token on its way to the caller. It binds the token to the one request that
 * contained this sealed proof, so that the answer to another request cannot replace it.
 */
export function newTokenBinding(
  sealedProof: string,
  purpose: 'new-token' | 'new-refresh-token' = 'new-token',
): SealBinding {
  return { purpose, owner: createHash('sha256').update(sealedProof).digest('hex') };
}
