import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
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

/** Programs that run each file or class of their arguments, and write a line for each fault to `faults`. */
const programsOfAll = {
  typescript: `import { appendFileSync } from 'node:fs';
for (const path of process.argv.slice(2)) {
  try {
    await import(path);
  } catch (error) {
    appendFileSync('faults', path + ': ' + String(error).replaceAll('\\n', ' ') + '\\n');
  }
}
`,
  python: `import runpy, sys
for path in sys.argv[1:]:
    try:
        runpy.run_path(path, run_name="__main__")
    except BaseException as error:
        if not isinstance(error, SystemExit) or error.code:
            print(path, repr(error), file=open("faults", "a"))
`,
  java: `import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
public class AllSamples {
  public static void main(String[] names) throws Exception {
    var faults = new ArrayList<String>();
    for (var name : names) {
      var output = new ByteArrayOutputStream();
      System.setOut(new PrintStream(output, true));
      try {
        Class.forName(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        if (!output.toString().startsWith("200 ")) faults.add(name + ": " + output.toString().replace('\\n', ' '));
      } catch (Exception error) {
        faults.add(name + ": " + error.getCause());
      }
    }
    if (!faults.isEmpty()) Files.write(Path.of("faults"), faults);
    System.exit(0);
  }
}
`,
} as const;

/** One after the other in one process: to start a machine for each takes longer than all calls. */
function allBy(language: keyof typeof programsOfAll, { compile, command, fileName }: Machine) {
  return (samples: readonly Sample[], env: Env) =>
    inFolder(async (folder) => {
      const names = await Promise.all(
        samples.map((sample) => fileOf(folder, fileName(sample.operationId), sample.text)),
      );
      const all = await fileOf(folder, fileName('allSamples'), programsOfAll[language]);
      for (const each of [compile, command]) {
        if (each === undefined) continue;
        const fault = await faultOf({ command: each(all, names), folder, env });
        if (fault !== undefined) return [fault];
      }
      const faults = await readFile(join(folder, 'faults'), 'utf8').catch(() => '');
      return faults.split('\n').filter(Boolean);
    });
}

interface Machine {
  readonly fileName: (operationId: string) => string;
  readonly compile?: (all: string, files: readonly string[]) => Program['command'];
  readonly command: (all: string, files: readonly string[]) => Program['command'];
}

const capital = (name: string) => name.replace(/^./, (first) => first.toUpperCase());

/** Each answers with what went wrong, by operation. */
export const runners = {
  bash: eachBy(async ({ text }) => ['bash', '-euc', strictCurl + text]),
  typescript: allBy('typescript', {
    fileName: (name) => `${name}.ts`,
    command: (all, files) => [process.execPath, all, ...files],
  }),
  python: allBy('python', {
    fileName: (name) => `${name}.py`,
    command: (all, files) => ['python3', all, ...files],
  }),
  java: allBy('java', {
    fileName: (name) => `${capital(name)}.java`,
    compile: (all, files) => ['javac', '-encoding', 'UTF-8', '-d', '.', all, ...files],
    command: (all, files) => [
      'java',
      '-XX:TieredStopAtLevel=1',
      ...['-cp', '.', basename(all, '.java')],
      ...files.map((file) => basename(file, '.java')),
    ],
  }),
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
