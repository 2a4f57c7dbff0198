import { describe, expect, it } from 'vitest';
import { createFreshBodies } from './fresh-bodies.ts';

describe('createFreshBodies', () => {
  it('hands a body over once', () => {
    const bodies = createFreshBodies({ maxBytes: 10 });
    bodies.keep('a', Buffer.from('1'));
    expect(bodies.take('a')?.toString()).toBe('1');
    expect(bodies.take('a')).toBeUndefined();
  });

  it('pushes out the oldest when there are too many bytes', () => {
    const bodies = createFreshBodies({ maxBytes: 10 });
    for (const id of ['a', 'b', 'c']) bodies.keep(id, Buffer.alloc(4));
    expect(['a', 'b', 'c'].map((id) => bodies.take(id)?.length)).toEqual([undefined, 4, 4]);
    bodies.keep('d', Buffer.alloc(10));
    expect(bodies.take('d')?.length).toBe(10);
  });

  it('keeps nothing that is too large by itself', () => {
    const bodies = createFreshBodies({ maxBytes: 10 });
    bodies.keep('a', Buffer.alloc(11));
    expect(bodies.take('a')).toBeUndefined();
  });
});
