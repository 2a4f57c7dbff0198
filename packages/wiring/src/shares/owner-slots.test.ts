import { expect, it, vi } from 'vitest';
import { createOwnerSlots } from './owner-slots.ts';

function notedWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

it('lets an owner with all of its places wait, and another one go', async () => {
  const { begun, work, end } = notedWork();
  const places = createOwnerSlots(2);
  const all = ['a1', 'a2', 'a3'].map((name) => places.run('a', work(name)));
  const other = places.run('b', work('b1'));
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'a2', 'b1']));
  end('a2');
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']));
  for (const name of ['a1', 'a3', 'b1']) end(name);
  expect(await Promise.all([...all, other])).toEqual(['a1', 'a2', 'a3', 'b1']);
  const [again, more] = ['a4', 'a5'].map((name) => places.run('a', work(name)));
  await vi.waitFor(() => expect(begun).toContain('a5'));
  for (const name of ['a4', 'a5']) end(name);
  expect(await Promise.all([again, more])).toEqual(['a4', 'a5']);
});

it('gives the place on where work fails, or its caller gave up', async () => {
  const { begun, work, end } = notedWork();
  const places = createOwnerSlots(1);
  const failing = Promise.withResolvers<string>();
  const first = places.run('a', () => failing.promise);
  const gone = new AbortController();
  const second = places.run('a', work('a2'), { signal: gone.signal });
  const third = places.run('a', work('a3'));
  gone.abort(new Error('gone'));
  failing.reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  await expect(second).rejects.toThrow('gone');
  await vi.waitFor(() => expect(begun).toEqual(['a3']));
  end('a3');
  expect(await third).toBe('a3');
});
