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
  /** For one file. */
  readonly timeoutMs: number;
  /** What the process may hold in memory, all told. */
  readonly memoryBytes: number;
}

/** One process, one file at a time. */
export interface Checker {
  readonly pid: number;
  /** @throws CheckerDied */
  check(file: FileToCheck): Promise<Verdict>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** The process ended, or was ended, before it had an answer. */
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
 * The kernel's wall (RLIMIT_DATA) behind the watch: a decoder's memory is not Node's to bound, and may grow between
 * two looks. No core is dumped, since it would write an applicant's files to disk, and no file grows (RLIMIT_FSIZE).
 * Where the wall cannot be set it was lower before.
 */
const bounded = 'ulimit -c 0; ulimit -f 0; ulimit -d "$1" 2>/dev/null; shift; exec "$@"';

function spawnChecker({ memoryBytes, isolation }: CheckerSettings, program: CheckerProgram): ChildProcess {
  const { main, readablePaths } = program;
  const readable = readablePaths.map((path) => `--allow-fs-read=${path}`);
  const heap = `--max-old-space-size=${Math.ceil(memoryBytes / 2 / 1024 / 1024)}`;
  const node = [process.execPath, '--permission', '--allow-addons', ...readable, heap];
  const command = isolateCommand(isolation, [...node, main], readablePaths);
  const kibibytes = String(Math.ceil((memoryBytes + reservedBytes) / 1024));
  // Bytes from strangers are decoded there: it gets none of the service's secrets, and may write and start nothing.
  return spawn('/bin/sh', ['-c', bounded, 'sh', kibibytes, ...command], {
    env: {},
    // Signals of a terminal are for the service, and would end what isolates the checker.
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** @throws CheckerDied `not-started` */
export async function startChecker(
  settings: CheckerSettings,
  program: CheckerProgram = checkerProgram,
): Promise<Checker> {
  const child = spawnChecker(settings, program);
  let workerPid = child.pid;
  const gone = Promise.withResolvers<void>();
  let waiting: { readonly take: (line: string) => void; readonly fail: (error: Error) => void } | undefined;
  let answerBytes = 0;
  const died = (reason: CheckerDied['reason']) => waiting?.fail(new CheckerDied(reason));
  const end = () => {
    gone.resolve();
    died('ended');
  };
  child.once('exit', end);
  child.once('error', end);
  // A process that dies while it is written to: its exit says so.
  child.stdin?.on('error', () => undefined);
  const kill = async () => {
    // What isolates a process ends with it, and it ends with what isolates it.
    if (workerPid !== child.pid && workerPid !== undefined) killQuietly(workerPid);
    else child.kill('SIGKILL');
    await gone.promise;
  };
  const stdout = child.stdout as Readable;
  stdout.on('data', ({ length }: Buffer) => {
    answerBytes += length;
    if (waiting !== undefined && answerBytes <= maxAnswerBytes) return;
    // What it writes unasked, or without end, would be held here until there is no memory left.
    stdout.destroy();
    died('ended');
    void kill();
  });
  createInterface({ input: stdout }).on('line', (line) => waiting?.take(line));
  const answer = async <Answer>(read: ReadAnswer<Answer>, withinMs: number): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting = {
      take: (line) => {
        const said = read(line);
        if (said === undefined) died('ended');
        else resolve(said);
      },
      fail: reject,
    };
    answerBytes = 0;
    const timer = setTimeout(() => died('timeout'), withinMs);
    const stopWatching = watchMemory(workerPid, settings.memoryBytes, () => died('memory'));
    try {
      if (child.exitCode !== null || child.signalCode !== null) died('ended');
      return await promise;
    } finally {
      clearTimeout(timer);
      stopWatching();
      waiting = undefined;
    }
  };
  try {
    await answer(readReady, startTimeoutMs);
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
        return await answer(readVerdict, settings.timeoutMs);
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
    // It is gone.
  }
}
