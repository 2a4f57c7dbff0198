import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const program = join(import.meta.dirname, '../src/main.ts');

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

it('check says what it compared with, and how it ended', () => {
  const { status, stdout } = run('check');
  expect(stdout).toMatch(/^(all|\d+ not) kept of what \d+\.\d+\.\d+ agreed; \d+ waived$/m);
  expect(status).toBe(stdout.includes('all kept') ? 0 : 1);
});

it('help is there, and what is no command is told with it', () => {
  expect(run('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('contracts -- snapshot'),
  });
  expect(run('chek')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Usage: npm run contracts'),
  });
  expect(run('check', '--from')).toMatchObject({ status: 2, stderr: expect.stringContaining('--from') });
});

it('a release that has a snapshot gets no other', () => {
  expect(run('snapshot', '0.1.0')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('what was released does not change'),
  });
});
