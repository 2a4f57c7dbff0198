import { createHash } from 'node:crypto';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';

/**
 * What a new access token is sealed for on its way to who asked for it: the one question that brought this sealed proof,
 * so that no answer to another fits in its place.
 */
export function newTokenBinding(
  sealedProof: string,
  purpose: 'new-token' | 'new-refresh-token' = 'new-token',
): SealBinding {
  return { purpose, owner: createHash('sha256').update(sealedProof).digest('hex') };
}
