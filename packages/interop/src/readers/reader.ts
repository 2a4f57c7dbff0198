import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Sample, World } from '../samples/make-samples.ts';

/** Result of one reader for one sample. */
export interface Outcome {
  readonly sample: string;
  readonly what: string;
  /** Absent if the check passed. */
  readonly fault?: string | undefined;
  /** Limitation that the program itself reports: not a fault of the file. */
  readonly cannot?: string | undefined;
}

/** A program by another vendor. */
export interface Reader {
  readonly name: string;
  /** Short description of its checks. */
  readonly does: string;
  /** Returns the reason to leave it out; undefined if it is installed. */
  missing(): string | undefined;
  read(world: World): Promise<Outcome[]>;
}

export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program to its end, with English as language and UTF-8 as encoding. */
export function run(program: string, args: readonly string[], input?: string): Ran {
  const done = spawnSync(program, [...args], {
    encoding: 'utf8',
    input,
    timeout: 240_000,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8' },
  });
  return { status: done.status, output: `${done.stdout ?? ''}${done.stderr ?? ''}` };
}

/** Runs a program that connects to a server in this process, which `run` would block. */
export function runInParallel(program: string, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { timeout: 240_000, env: { ...process.env, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8' } };
    const child = execFile(program, [...args], options, (_, stdout, stderr) => {
      resolve({ status: child.exitCode, output: `${stdout}${stderr}` });
    });
  });
}

export function lacksProgram(program: string, debianPackage: string): string | undefined {
  const found = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  return found ? undefined : `${program} is not installed (Debian package ${debianPackage})`;
}

export function lacksFile(path: string, debianPackage: string): string | undefined {
  return existsSync(path) ? undefined : `${path} is not there (Debian package ${debianPackage})`;
}

/** Extracts the last lines of a failed program as the fault. */
export function readProgramFault({ status, output }: Ran, isWell = status === 0): string | undefined {
  if (isWell) return undefined;
  return output.trim().split('\n').slice(-2).join(' ').slice(0, 300) || `status ${status}`;
}

/** Runs a check; an error that it throws is its fault. */
export async function attempt(
  { name: sample }: Pick<Sample, 'name'>,
  what: string,
  check: () => Promise<string | undefined> | string | undefined,
): Promise<Outcome> {
  try {
    return { sample, what, fault: await check() };
  } catch (error) {
    return { sample, what, fault: error instanceof Error ? error.message : String(error) };
  }
}
