import { expect, it, vi } from 'vitest';
import { createWaitingSlots } from './waiting-slots.ts';

/** Work that notes its name when it begins and ends when it is told to. */
function notedWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  const end = async (name: string) => {
    await vi.waitFor(() => expect(begun).toContain(name));
    ends.get(name)?.();
  };
  return { begun, work, end };
}

it('serves owners in turn, however many of one wait', async () => {
  const { begun, work, end } = notedWork();
  const turns = createWaitingSlots({ places: 1 });
  const all = ['a1', 'a2', 'a3'].map((name) => turns.run('a', work(name)));
  const other = turns.run('b', work('b1'));
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
  expect(await Promise.all([...all, other])).toEqual(['a1', 'a2', 'a3', 'b1']);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('refuses an owner that has as many waiting as may, and nobody else', async () => {
  const { begun, work, end } = notedWork();
  const turns = createWaitingSlots({ places: 1, mostWaiting: 2 });
  const first = turns.run('a', work('a1'));
  await vi.waitFor(() => expect(begun).toEqual(['a1']));
  const waiting = [turns.run('a', work('a2')), turns.run('a', work('a3'))];
  await expect(turns.run('a', work('a4'))).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 1,
  });
  const other = turns.run('b', work('b1'));
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
  expect(await Promise.all([first, ...waiting, other])).toEqual(['a1', 'a2', 'a3', 'b1']);
});

it('does not begin for a caller that gave up meanwhile, and gives its place on', async () => {
  const { begun, work, end } = notedWork();
  const turns = createWaitingSlots({ places: 1 });
  const first = turns.run('a', work('a1'));
  const gone = new AbortController();
  const second = turns.run('a', work('a2'), { signal: gone.signal });
  const third = turns.run('a', work('a3'));
  gone.abort(new Error('gone'));
  await Promise.all([end('a1'), expect(second).rejects.toThrow('gone')]);
  await end('a3');
  expect(await Promise.all([first, third])).toEqual(['a1', 'a3']);
  expect(begun).toEqual(['a1', 'a3']);
});
