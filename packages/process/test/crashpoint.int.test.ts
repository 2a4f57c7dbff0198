import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startChild } from './child.ts';

const name = 'after-sign-before-store';

it('kills the process that reaches an armed point, once, and no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crashpoint-'));
  await writeFile(join(folder, name), '');

  const runs = Array.from({ length: 3 }, async () => {
    await using child = startChild('crash', { CRASHPOINT_DIR: folder });
    return { ...(await child.exited()), output: child.output };
  });
  const killed = { code: null, signal: 'SIGKILL', output: ['before'] };
  const passed = { code: 0, signal: null, output: ['before', 'after'] };
  const outcomes = (await Promise.all(runs)).sort((a, b) => a.output.length - b.output.length);
  expect(outcomes).toEqual([killed, passed, passed]);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

it('does nothing in a process that was given no folder', async () => {
  await using child = startChild('crash');
  expect(await child.exited()).toEqual({ code: 0, signal: null });
});
