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
  /** From `npm start` to all services ready, milliseconds. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

export interface NpmStart {
  readonly port?: number;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** A checkout, where it is not this one. */
  readonly cwd?: string;
}

/** `npm start` as a person types it, in a data folder of its own. */
export async function startWithNpm(
  home: string,
  { port = 4500, args = [], env = {}, cwd = projectRoot }: NpmStart = {},
): Promise<StackProcess> {
  // One that was left by an earlier run would be taken for this one's.
  await rm(join(home, 'stack.json'), { force: true });
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--', ...args], {
    cwd,
    env: { ...process.env, RUBRICA_HOME: home, PORT: String(port), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches the benchmark, which then stops the stack.
    detached: true,
  });
  const output = collect(child);
  const exited = once(child, 'exit');
  const info = await readInfo(home, child, output);
  const readyMs = performance.now() - startedAt;
  let signalled = false;
  const stop = async () => {
    // As Ctrl-C in a terminal does: the whole group, once, for npm does not pass every signal on.
    if (!signalled && isRunning(child)) process.kill(-(child.pid as number), 'SIGINT');
    signalled = true;
    await exited;
    // npm may end before what it started: the group is gone when the last of it is.
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

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The stack writes `stack.json` when all services are ready, and only then. */
async function readInfo(home: string, child: ChildProcess, output: () => string): Promise<StackInfo> {
  for (;;) {
    const text = await readFile(join(home, 'stack.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as StackInfo;
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output()}`);
    await delay(10);
  }
}
