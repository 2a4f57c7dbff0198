import { describe, expect, it } from 'vitest';
import { layoutOf, madeAt, newChunkId } from './layout.ts';

describe('the layout of a bucket', () => {
  it('encodes names, so that no name can reach another subject', () => {
    const { metaSubject } = layoutOf('EVIDENCE');
    for (const name of ['a', 'a.b', '>', '*', 'ñ/ü ?', 'x\r\nPUB y 0']) {
      expect(metaSubject(name)).toMatch(/^\$O\.EVIDENCE\.M\.[A-Za-z0-9_=-]+$/);
    }
    expect(new Set(['a', 'b', 'A', 'a '].map(metaSubject)).size).toBe(4);
  });

  it('refuses bucket names and object names out of bounds', () => {
    for (const bucket of ['', 'a.b', 'a b', '>']) expect(() => layoutOf(bucket)).toThrow(TypeError);
    expect(() => layoutOf('B').metaSubject('')).toThrow(TypeError);
    expect(() => layoutOf('B').metaSubject('x'.repeat(121))).toThrow(TypeError);
  });

  it('lets chunks tell when their put began, and only its own', () => {
    const now = Date.UTC(2026, 0, 2, 3, 4, 5);
    expect(madeAt(newChunkId(now))).toBe(now);
    expect(madeAt('nK9tYQxk5hT2xO5jv4m7qP')).toBeUndefined();
    expect(newChunkId(now)).not.toBe(newChunkId(now));
  });
});
