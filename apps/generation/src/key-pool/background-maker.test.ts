import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createBackgroundMaker } from './background-maker.ts';

/** The priorities of this process's threads, 0 to 19; what `/proc/<pid>/task/<tid>/stat` has after the name. */
function niceOfThreads(): number[] {
  const texts = readdirSync('/proc/self/task').map((thread) =>
    readFileSync(`/proc/self/task/${thread}/stat`, 'utf8'),
  );
  return texts.map((text) => Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]));
}

const lowest = () => niceOfThreads().filter((nice) => nice === 19).length;

it.skipIf(process.platform !== 'linux')(
  'lowers the priority of its thread alone, and ends it when idle',
  async () => {
    const [before, priority] = [lowest(), getPriority()];
    await using stack = new AsyncDisposableStack();
    const maker = createBackgroundMaker({ idleMs: 500 });
    stack.defer(maker.close);
    await Promise.all([maker.make('P_256'), maker.make('P_256')]);
    expect([lowest(), getPriority()]).toEqual([before + 1, priority]);
    await expect.poll(lowest, { timeout: 30_000 }).toBe(before);
  },
);

it('makes keys again after its thread was ended in the middle of one', async () => {
  await using stack = new AsyncDisposableStack();
  const maker = createBackgroundMaker();
  stack.defer(maker.close);
  const cut = expect(maker.make('RSA_3072')).rejects.toThrow();
  await turn();
  await maker.close();
  await cut;
  expect((await maker.make('P_256')).spki.length).toBeGreaterThan(64);
});
