import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFileKeeper } from '../../body/files/keep-files.ts';
import { createFileSealer } from '../../body/files/seal-files.ts';
import { decryptFile, FileDamaged } from './decrypt-file.ts';

const file = Buffer.from('%PDF-1.4 something long enough to be worth it');
function neverUploads(): never {
  throw new Error('it is small enough to stay in memory');
}

async function sealed() {
  const sealer = createFileSealer(createFileKeeper(neverUploads, { add: neverUploads }));
  sealer.open().end();
  const sink = sealer.open();
  sink.write(file.subarray(0, 7));
  sink.write(file.subarray(7));
  const { kept, sha256 } = sink.end();
  const { content = Buffer.alloc(0) } = await kept.place();
  return { stored: content, key: sealer.key, sha256 };
}

test('a file opens to the bytes that were sealed', async () => {
  const { stored, key, sha256 } = await sealed();
  expect(decryptFile(stored, { key, sha256 })).toEqual(file);
});

test('a file of which any byte was changed, or that was cut, is not opened', async () => {
  const { stored, key, sha256 } = await sealed();
  for (const at of [0, 12, 20, stored.length - 1]) {
    const changed = Buffer.from(stored);
    changed[at] = (changed[at] as number) ^ 1;
    expect(() => decryptFile(changed, { key, sha256 }), `byte ${at}`).toThrow(FileDamaged);
  }
  for (const length of [0, 11, 28, stored.length - 1])
    expect(() => decryptFile(stored.subarray(0, length), { key, sha256 })).toThrow(FileDamaged);
});

test('a file under another key, or one that took the place of another, is not opened', async () => {
  const { stored, key, sha256 } = await sealed();
  expect(() => decryptFile(stored, { key: Buffer.alloc(32), sha256 })).toThrow(FileDamaged);
  const other = createHash('sha256').update('another').digest('hex');
  expect(() => decryptFile(stored, { key, sha256: other })).toThrow(FileDamaged);
});
