import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { identifyProcess, isRunning, type ProcessIdentity } from './identity.ts';

test('a process is the same as long as it runs, and gone once it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const identity = identifyProcess(child.pid as number) as ProcessIdentity;
  expect(isRunning(identity)).toBe(true);
  expect(isRunning({ ...identity, startedAt: `${identity.startedAt}1` })).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isRunning(identity)).toBe(false);
});

test('a number that no process has identifies nothing', () => {
  expect(identifyProcess(2 ** 22 + 1)).toBeUndefined();
});
