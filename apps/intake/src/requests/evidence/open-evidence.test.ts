import { randomBytes } from 'node:crypto';
import { EvidenceStoreError, type EvidenceStoreErrorCode } from '@rubrica/evidence-store';
import { describe, expect, it } from 'vitest';
import { encryptFile } from '../../../test/support/seal-files.ts';
import { EvidenceDamaged } from './evidence-damaged.ts';
import type { EvidenceFile } from './evidence-file.ts';
import { createOpenEvidence } from './open-evidence.ts';

const key = randomBytes(32);
const original = Buffer.from('a passport');

type Read = () => Promise<Buffer>;

async function open(file: EvidenceFile, bytes: Read = neverRead) {
  const stores = { get: () => ({ bytes, chunks: neverRead }) };
  const opener = await createOpenEvidence({ keyring: { open: async () => key }, stores })({
    requestId: 'r',
    sealedKey: 'sealed',
  });
  return opener(file);
}
function neverRead(): never {
  throw new Error('read all the same');
}
function makeFile(overrides: Partial<EvidenceFile> = {}): EvidenceFile {
  return {
    id: 'e1',
    position: 0,
    field: null,
    object: null,
    ...encryptFile(key, original),
    ...overrides,
  };
}
function failing(code: EvidenceStoreErrorCode): Read {
  return () => Promise.reject(new EvidenceStoreError(code, 'm'));
}
function inStore(sizeBytes = original.length + 28): EvidenceFile {
  const object = { id: '0'.repeat(32), chunks: 1, sizeBytes, sha256: '0'.repeat(64) };
  return makeFile({ content: null, object });
}

describe('an evidence', () => {
  it('is opened from its row and from the evidence store', async () => {
    expect(await open(makeFile())).toEqual(original);
    expect(await open(inStore(), async () => encryptFile(key, original).content)).toEqual(original);
  });

  it('of which one bit was turned, or the end cut off, is damaged and nothing of it is given out', async () => {
    const { content } = encryptFile(key, original);
    for (let at = 0; at < content.length; at += 1) {
      const turned = Buffer.from(content);
      turned[at] = (turned[at] as number) ^ 1;
      await expect(open(makeFile({ content: turned }))).rejects.toThrow(EvidenceDamaged);
      await expect(open(makeFile({ content: content.subarray(0, at) }))).rejects.toThrow(EvidenceDamaged);
    }
  });

  it('that is another than was registered is damaged, although its tag fits', async () => {
    const { content } = encryptFile(key, Buffer.from('another!!!'));
    await expect(open(makeFile({ content }))).rejects.toThrow('SHA-256');
  });

  it('whose object is gone, corrupt or of another size is damaged', async () => {
    await expect(open(inStore(), failing('missing'))).rejects.toThrow(EvidenceDamaged);
    await expect(open(inStore(), failing('corrupt'))).rejects.toThrow(EvidenceDamaged);
    await expect(open(inStore(1))).rejects.toThrow('another size');
    await expect(open(makeFile({ content: null }))).rejects.toThrow(EvidenceDamaged);
  });

  it('whose evidence store does not answer is asked for again later', async () => {
    await expect(open(inStore(), failing('unavailable'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
