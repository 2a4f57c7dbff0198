import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { FileToCheck } from '../file-checker.ts';
import type { Verdict } from '../verdict.ts';
import { maxAnswerBytes, type ReadAnswer, readReady, readVerdict } from './answer.ts';
import { type CheckerProgram, checkerProgram } from './checker-program.ts';
import { findWorker } from './find-worker.ts';
import { toFrames } from './frames.ts';
import { type Isolation, isolateCommand } from './isolation.ts';
import { watchMemory } from './watch-memory.ts';

export interface CheckerSettings {
  readonly isolation: Isolation;
  /** Time for one file. */
  readonly timeoutMs: number;
  /** Total memory of the process. */
  readonly memoryBytes: number;
}

/** Process that checks one file at a time. */
export interface Checker {
  readonly pid: number;
  /** Checks one file. @throws CheckerDied */
  check(file: FileToCheck): Promise<Verdict>;
  /** Kills the process. Resolves when it has ended. */
  kill(): Promise<void>;
}

/** Error for a process that ended, or was ended, before it answered. */
export class CheckerDied extends Error {
  readonly reason: 'timeout' | 'memory' | 'ended' | 'not-started';
  constructor(reason: CheckerDied['reason']) {
    super(`the file checker died: ${reason}`);
    this.name = 'CheckerDied';
    this.reason = reason;
  }
}

export const startTimeoutMs = 30_000;
/** V8 reserves some 520 MB that count as data and are never touched. */
const reservedBytes = 768 * 1024 * 1024;

/**
 * Command that sets the kernel's limit (RLIMIT_DATA) behind the memory watch. Node cannot limit a decoder's
 * memory, which may grow between two readings. No core is dumped, because it would write an applicant's files
 * to disk, and no file grows (RLIMIT_FSIZE). If the limit cannot be set, a lower one was set before.
 */
const limitCommand = 'ulimit -c 0; ulimit -f 0; ulimit -d "$1" 2>/dev/null; shift; exec "$@"';

function spawnChecker({ memoryBytes, isolation }: CheckerSettings, program: CheckerProgram): ChildProcess {
  const { main, readablePaths } = program;
  const readable = readablePaths.map((path) => `--allow-fs-read=${path}`);
  const heap = `--max-old-space-size=${Math.ceil(memoryBytes / 2 / 1024 / 1024)}`;
  const node = [process.execPath, '--permission', '--allow-addons', ...readable, heap];
  const command = isolateCommand(isolation, [...node, main], readablePaths);
  const kibibytes = String(Math.ceil((memoryBytes + reservedBytes) / 1024));
  // Bytes from strangers are decoded there: it gets none of the service's secrets, and may write and start
  // nothing.
  return spawn('/bin/sh', ['-c', limitCommand, 'sh', kibibytes, ...command], {
    env: {},
    // Signals of a terminal are for the service, and would end what isolates the checker.
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** Starts a checker. @throws CheckerDied `not-started` */
export async function startChecker(
  settings: CheckerSettings,
  program: CheckerProgram = checkerProgram,
): Promise<Checker> {
  const child = spawnChecker(settings, program);
  let workerPid = child.pid;
  const exited = Promise.withResolvers<void>();
  let waiting:
    | { readonly receive: (line: string) => void; readonly fail: (error: Error) => void }
    | undefined;
  let answerBytes = 0;
  const reportDeath = (reason: CheckerDied['reason']) => waiting?.fail(new CheckerDied(reason));
  const onExit = () => {
    exited.resolve();
    reportDeath('ended');
  };
  child.once('exit', onExit);
  child.once('error', onExit);
  // A process may die while it is written to: its exit reports that.
  child.stdin?.on('error', () => undefined);
  const kill = async () => {
    // A process and what isolates it end together.
    if (workerPid !== child.pid && workerPid !== undefined) killQuietly(workerPid);
    else child.kill('SIGKILL');
    await exited.promise;
  };
  const stdout = child.stdout as Readable;
  stdout.on('data', ({ length }: Buffer) => {
    answerBytes += length;
    if (waiting !== undefined && answerBytes <= maxAnswerBytes) return;
    // Unrequested or endless output would be held here until memory runs out.
    stdout.destroy();
    reportDeath('ended');
    void kill();
  });
  createInterface({ input: stdout }).on('line', (line) => waiting?.receive(line));
  const readNext = async <Answer>(read: ReadAnswer<Answer>, withinMs: number): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting = {
      receive: (line) => {
        const value = read(line);
        if (value === undefined) reportDeath('ended');
        else resolve(value);
      },
      fail: reject,
    };
    answerBytes = 0;
    const timer = setTimeout(() => reportDeath('timeout'), withinMs);
    const stopWatching = watchMemory(workerPid, settings.memoryBytes, () => reportDeath('memory'));
    try {
      if (child.exitCode !== null || child.signalCode !== null) reportDeath('ended');
      return await promise;
    } finally {
      clearTimeout(timer);
      stopWatching();
      waiting = undefined;
    }
  };
  try {
    await readNext(readReady, startTimeoutMs);
    workerPid = findWorker(child.pid as number);
  } catch {
    await kill();
    throw new CheckerDied('not-started');
  }
  return {
    pid: workerPid as number,
    async check(file) {
      for (const part of toFrames(file)) child.stdin?.write(part);
      try {
        return await readNext(readVerdict, settings.timeoutMs);
      } catch (error) {
        await kill();
        throw error;
      }
    },
    kill,
  };
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
