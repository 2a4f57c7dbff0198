import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { StackInfo } from '@rubrica/stack';
import { pollFor } from '@rubrica/testkit';

const endingSignals = ['SIGINT', 'SIGTERM'] as const;
const projectRoot = join(import.meta.dirname, '..', '..', '..');

export interface StackProcess extends AsyncDisposable {
  readonly info: StackInfo;
  /** Time from `npm start` to all services ready, in milliseconds. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

export interface NpmStart {
  readonly port?: number;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Checkout to run, if it is not this one. */
  readonly cwd?: string;
}

/** Runs `npm start` as a person types it, in its own data folder. */
export async function startWithNpm(
  home: string,
  { port = 4500, args = [], env = {}, cwd = projectRoot }: NpmStart = {},
): Promise<StackProcess> {
  // A file from an earlier run would be taken for this one's.
  await rm(join(home, 'stack.json'), { force: true });
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--', ...args], {
    cwd,
    env: { ...process.env, RUBRICA_HOME: home, PORT: String(port), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate group: Ctrl-C reaches the benchmark, which then stops the stack.
    detached: true,
  });
  const output = collectOutput(child);
  const exited = once(child, 'exit');
  const info = await readInfo(home, child, output);
  const readyMs = performance.now() - startedAt;
  let signalled = false;
  const stop = async () => {
    // Signals the whole group once, like Ctrl-C in a terminal, because npm does not pass every signal on.
    if (!signalled && isRunning(child)) process.kill(-(child.pid as number), 'SIGINT');
    signalled = true;
    await exited;
    // npm may end before its children: the group is gone when the last of it is.
    await pollFor(() => !isRunning(child), { deadlineMs: 60_000, what: 'the end of the stack' });
    for (const signal of endingSignals) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals) =>
    void stop().finally(() => process.exit(128 + constants.signals[signal]));
  for (const signal of endingSignals) process.once(signal, onSignal);
  return { info, readyMs, stop, [Symbol.asyncDispose]: stop };
}

function isRunning({ pid }: ChildProcess): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

function collectOutput(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Waits for `stack.json`, which the stack writes only when all services are ready. */
async function readInfo(home: string, child: ChildProcess, output: () => string): Promise<StackInfo> {
  for (;;) {
    const text = await readFile(join(home, 'stack.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as StackInfo;
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output()}`);
    await delay(10);
  }
}
