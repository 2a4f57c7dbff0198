import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isRunning, type ProcessIdentity } from './identity.ts';

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  readonly identity: ProcessIdentity;
  readonly exited: Promise<ChildExit>;
  /** Returns the result, or undefined while it runs. */
  exit(): ChildExit | undefined;
  signal(signal: NodeJS.Signals): void;
  /** Signals, waits, and after the deadline sends SIGKILL. Resolves when the process is gone. */
  stop(options: { signal: NodeJS.Signals; deadlineMs: number }): Promise<ChildExit>;
}

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Receives stdout and stderr, appended. It is a file and not a pipe, so that output outlives this process. */
  readonly logFile: string;
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** Signal that the kernel sends if this process dies without stopping the child (Linux). */
  readonly onParentDeath?: NodeJS.Signals;
}

/**
 * Starts a process in its own session: Ctrl-C in the terminal reaches only the parent, which then stops its children in
 * order.
 */
export async function spawnChild(options: SpawnOptions): Promise<Child> {
  const log = openSync(options.logFile, 'a', 0o600);
  const { command, args } = withDeathSignal(options);
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', log, log],
    detached: true,
    ...(options.account ?? {}),
  });
  let ended: ChildExit | undefined;
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = { code, signal };
      resolve(ended);
    });
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  } finally {
    closeSync(log);
  }
  const pid = child.pid as number;
  const identity = identifyProcess(pid) ?? { pid, startedAt: 'ended at once' };
  const signal = (name: NodeJS.Signals) => void (ended === undefined && child.kill(name));
  return {
    pid,
    identity,
    exited,
    exit: () => ended,
    signal,
    stop: ({ signal: name, deadlineMs }) => stopChild({ signal, exited, name, deadlineMs }),
  };
}

async function stopChild(options: {
  signal(name: NodeJS.Signals): void;
  exited: Promise<ChildExit>;
  name: NodeJS.Signals;
  deadlineMs: number;
}): Promise<ChildExit> {
  options.signal(options.name);
  const timer = setTimeout(() => options.signal('SIGKILL'), options.deadlineMs);
  try {
    return await options.exited;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a process that an earlier run recorded, and only that one; resolves when it is gone. */
export async function endLeftover(
  identity: ProcessIdentity,
  options: { signal: NodeJS.Signals; deadlineMs: number },
): Promise<boolean> {
  if (!isRunning(identity)) return false;
  sendSignal(identity, options.signal);
  const deadline = performance.now() + options.deadlineMs;
  while (isRunning(identity)) {
    if (performance.now() > deadline) sendSignal(identity, 'SIGKILL');
    await delay(20);
  }
  return true;
}

function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Wraps the command in `setpriv` (util-linux), which registers the signal with the kernel and then becomes the command:
 * the pid is the command's.
 */
function withDeathSignal(options: SpawnOptions): { command: string; args: string[] } {
  const setpriv = options.onParentDeath === undefined ? undefined : findSetpriv();
  if (setpriv === undefined || options.onParentDeath === undefined) {
    return { command: options.command, args: [...options.args] };
  }
  const name = options.onParentDeath.replace(/^SIG/, '');
  return { command: setpriv, args: ['--pdeathsig', name, '--', options.command, ...options.args] };
}

function findSetpriv(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
