import { runCa } from './run-ca.ts';

/** Runs one step of a ceremony in the current folder. */
export function run(args: readonly string[]): Promise<number> {
  return runCa(args, {
    cwd: process.cwd(),
    line: (text = '') => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
  });
}
