import { createHash } from 'node:crypto';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import { EvidenceStoreError } from './evidence-store-error.ts';

/**
 * Yields the bytes of an object as they arrive, never more than its entry's size.
 * @throws EvidenceStoreError `corrupt`, at the latest at the end
 */
export async function* verifyPieces(
  pieces: AsyncIterable<Uint8Array>,
  { id, sizeBytes, sha256 }: Pick<EvidenceEntry, 'id' | 'sizeBytes' | 'sha256'>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let left = sizeBytes;
  for await (const piece of pieces) {
    left -= piece.length;
    if (left < 0) throw new EvidenceStoreError('corrupt', `object ${id} is larger than it was`);
    hash.update(piece);
    yield piece;
  }
  if (left > 0 || hash.digest('hex') !== sha256)
    throw new EvidenceStoreError('corrupt', `the digest of object ${id} differs`);
}

export async function joinPieces(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}
