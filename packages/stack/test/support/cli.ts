import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const cli = join(import.meta.dirname, '..', '..', 'src', 'cli.ts');

export interface RunningCli {
  readonly child: ChildProcess;
  readonly output: { text: string };
  readonly errors: { text: string };
  readonly code: Promise<number | null>;
}

/** The command line as a process of its own; killed with the test, should it still run. */
export function startCli(args: readonly string[], env: Record<string, string>): RunningCli {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const collect = (stream: NodeJS.ReadableStream) => {
    const kept = { text: '' };
    stream.setEncoding('utf8').on('data', (text: string) => {
      kept.text += text;
    });
    return kept;
  };
  const output = collect(child.stdout);
  const errors = collect(child.stderr);
  return { child, output, errors, code: new Promise((resolve) => child.once('close', resolve)) };
}
