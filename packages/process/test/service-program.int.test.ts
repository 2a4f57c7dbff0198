import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('fixtures/program.ts', import.meta.url));

function runProgram(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

it('serves where no command is named', async () => {
  expect(await runProgram()).toEqual({ code: 0, out: 'served\n', err: '' });
});

it('runs the command that is named, with the arguments after it, and exits with its code', async () => {
  expect(await runProgram('serve', '--help')).toMatchObject({ code: 0, out: 'served --help\n' });
  expect(await runProgram('count-args', 'a', '-b', '--c')).toMatchObject({ code: 3 });
});

it.each(['--help', '-h'])('lists the commands with one line each: %s', async (flag) => {
  const { code, out } = await runProgram(flag);
  expect(code).toBe(0);
  expect(out.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    '  serve       runs the service',
    '  count-args  exits with the number of its arguments',
  ]);
});

it.each(['burn', 'toString', '--port=1'])(
  'says which commands exist where %s is none of them',
  async (name) => {
    const { code, out, err } = await runProgram(name);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain(`fixture has no command "${name}".`);
    expect(err).toContain('  count-args  exits');
  },
);
