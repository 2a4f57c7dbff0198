import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../src/main.ts');

/** Intake as a process of its own, which a test may kill at a named point. */
export function startProcess(env: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  return {
    ended,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    /** SIGKILL: nothing of its own runs any more. */
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function fileOf(env: Readonly<Record<string, string>>, point: string) {
  return join(env.CRASHPOINT_DIR ?? '', point);
}

export function arm(env: Readonly<Record<string, string>>, point: string) {
  return writeFile(fileOf(env, point), '');
}

export function disarm(env: Readonly<Record<string, string>>, point: string) {
  return rm(fileOf(env, point), { force: true });
}
