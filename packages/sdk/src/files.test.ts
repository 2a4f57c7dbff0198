import { expect, it } from 'vitest';
import { fromBase64, toBase64, withFilesEncoded } from './files.ts';

it('writes base64 of any length as others do, and reads it back', () => {
  for (const length of [0, 1, 2, 3, 24_575, 24_576, 24_577, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_one, index) => (index * 31) % 256);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    expect(fromBase64(toBase64(bytes))).toEqual(bytes);
  }
});

it('finds files wherever they are, also a view into a larger buffer, and leaves the rest alone', async () => {
  const view = new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4);
  const input = {
    evidences: [{ evidenceFile: view, evidenceType: 'SELFIE' }],
    period: undefined,
    flag: true,
  };
  expect(await withFilesEncoded(input)).toEqual({
    evidences: [{ evidenceFile: 'AQID', evidenceType: 'SELFIE' }],
    period: undefined,
    flag: true,
  });
  expect(await withFilesEncoded({ a: view.slice().buffer, b: new Blob([view]) })).toEqual({
    a: 'AQID',
    b: 'AQID',
  });
});
