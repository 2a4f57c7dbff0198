import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../setup/home.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';

const folder = join(projectRoot, 'packages', 'testkit', 'bench');

export const bench: Command = {
  name: 'bench',
  summary: 'measure, and print the figures',
  help: `npm run bench [-- <name> …]

Runs the named benchmarks, or all of them, each against a stack of its own.
They are the files *.bench.ts in packages/testkit/bench.`,
  async run({ args, output }: CommandContext): Promise<number> {
    const names = await listBenchmarks();
    const chosen = args.length === 0 ? names : args;
    for (const name of chosen) {
      if (!names.includes(name)) {
        throw new UsageError(`There is no benchmark "${name}". There are: ${names.join(', ') || 'none'}.`);
      }
    }
    for (const name of chosen) {
      output.line(`\n  ${output.bold(name)}`);
      const code = await runScript(join(folder, `${name}.bench.ts`));
      if (code !== 0) return code;
    }
    return 0;
  },
};

async function listBenchmarks(): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []).sort();
}

function runScript(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
