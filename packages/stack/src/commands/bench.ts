import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../setup/home.ts';
import type { Command, CommandContext } from './command.ts';

const program = join(projectRoot, 'packages', 'acceptance', 'bench', 'main.ts');

export const bench: Command = {
  name: 'bench',
  summary: 'measure, and print the figures',
  help: undefined,
  async run({ args }: CommandContext): Promise<number> {
    const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  },
};
