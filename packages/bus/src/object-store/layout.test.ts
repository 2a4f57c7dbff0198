import { describe, expect, it } from 'vitest';
import { createLayout, newObjectId, parseChunk } from './layout.ts';

describe('the layout of a bucket', () => {
  const { chunkSubject, chunksOf } = createLayout('EVIDENCE');

  it('gives each chunk a subject of its own', () => {
    expect(chunkSubject('abc', 0)).toBe('$O.EVIDENCE.C.abc.0');
    expect(chunksOf('abc')).toBe('$O.EVIDENCE.C.abc.*');
  });

  it.each(['', '*', '>', 'a.b', 'a b', 'x\r\nPUB y 0', 'x'.repeat(61)])(
    'never names the chunks of an object %j, so that no id can reach those of another',
    (id) => {
      expect(() => chunkSubject(id, 0)).toThrow(TypeError);
      expect(() => chunksOf(id)).toThrow(TypeError);
      expect(parseChunk(`$O.EVIDENCE.C.${id}.0`)?.id).not.toBe(id);
    },
  );

  it('refuses bucket names out of bounds', () => {
    for (const bucket of ['', 'a.b', 'a b', '>']) expect(() => createLayout(bucket)).toThrow(TypeError);
  });

  it('tells the object of a chunk, and makes no id twice', () => {
    const id = newObjectId();
    expect(parseChunk(chunkSubject(id, 7))).toEqual({ id, n: 7 });
    expect(parseChunk(`$O.EVIDENCE.C.${id}.seven`)).toBeUndefined();
    expect(newObjectId()).not.toBe(id);
  });
});
