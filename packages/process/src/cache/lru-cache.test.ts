import { expect, it } from 'vitest';
import { createLruCache } from './lru-cache.ts';

it('lets the least recently used entry go when it is full', () => {
  const cache = createLruCache<string, number>({ max: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([1, undefined, 3, 2]);
});

it('says what it lets go because it is full, and nothing of what is replaced', () => {
  const gone: number[] = [];
  const cache = createLruCache<string, number>({ max: 1, onPushedOut: (value) => void gone.push(value) });
  cache.set('a', 1);
  cache.set('a', 2);
  cache.set('b', 3);
  expect(gone).toEqual([2]);
});

it('does not hand out an entry that is too old', () => {
  let nowMs = 0;
  const cache = createLruCache<string, number>({ max: 2, ttlMs: 10, nowMs: () => nowMs });
  cache.set('a', 1);
  nowMs = 9;
  expect(cache.get('a')).toBe(1);
  nowMs = 10;
  expect([cache.get('a'), cache.size]).toEqual([undefined, 0]);
});
