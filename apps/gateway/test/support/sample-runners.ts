import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Sample {
  readonly operationId: string;
  readonly language: string;
  readonly text: string;
}

type Env = Readonly<Record<string, string>>;
const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');

/** Under the project, where imports resolve as where they are installed. */
async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const parent = join(root, '.rubrica');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'samples-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Program {
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  readonly env: Env;
}

/** What went wrong, or nothing. */
async function faultOf({ command: [name, ...options], folder, env }: Program): Promise<string | undefined> {
  try {
    await run(name, options, { cwd: folder, env: { ...process.env, ...env } });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  }
}

type Command = (sample: Sample, folder: string) => Promise<Program['command']>;

/** One after the other, each in a process of its own. */
function eachBy(commandOf: Command) {
  return (samples: readonly Sample[], env: Env) =>
    inFolder(async (folder) => {
      const faults: string[] = [];
      // An empty SEQUENCE is the shortest request that the responder answers.
      await writeFile(join(folder, 'request.der'), Buffer.from([0x30, 0]));
      for (const sample of samples) {
        const fault = await faultOf({ command: await commandOf(sample, folder), folder, env });
        if (fault !== undefined) faults.push(`${sample.operationId}: ${fault}`);
      }
      return faults;
    });
}

async function fileOf(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** A refusal is a success to curl unless it is told otherwise. */
const strictCurl = 'curl() { command curl -sS --fail-with-body "$@"; }\n';

const javaOutcome = /^200 /;

async function runJava(samples: readonly Sample[], env: Env): Promise<string[]> {
  return inFolder(async (folder) => {
    const classOf = ({ operationId }: Sample) => operationId.replace(/^./, (first) => first.toUpperCase());
    const files = await Promise.all(samples.map((one) => fileOf(folder, `${classOf(one)}.java`, one.text)));
    const compiled = await faultOf({
      command: ['javac', '-encoding', 'UTF-8', '-d', folder, ...files],
      folder,
      env,
    });
    if (compiled !== undefined) return [compiled];
    const faults: string[] = [];
    for (const sample of samples) {
      const options = { cwd: folder, env: { ...process.env, ...env } };
      const { stdout } = await run(
        'java',
        ['-XX:TieredStopAtLevel=1', '-cp', folder, classOf(sample)],
        options,
      );
      if (!javaOutcome.test(stdout)) faults.push(`${sample.operationId}: ${stdout}`);
    }
    return faults;
  });
}

/** Each answers with what went wrong, by operation. */
export const runners = {
  bash: eachBy(async ({ text }) => ['bash', '-euc', strictCurl + text]),
  typescript: eachBy(async ({ operationId, text }, folder) => [
    process.execPath,
    await fileOf(folder, `${operationId}.ts`, text),
  ]),
  python: eachBy(async ({ operationId, text }, folder) => [
    'python3',
    await fileOf(folder, `${operationId}.py`, text),
  ]),
  java: runJava,
} as const;
export type Runner = keyof typeof runners;

const programs: Readonly<Record<Runner, string>> = {
  bash: 'curl',
  typescript: process.execPath,
  python: 'python3',
  java: 'javac',
};

export function isThere(runner: Runner): boolean {
  return spawnSync(programs[runner], ['--version']).status === 0;
}
