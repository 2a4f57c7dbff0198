import { MissingPiece } from '@rubrica/testkit/processes';
import { CopiesError } from '../setup/services.ts';
import { StartFailure } from '../supervision/managed-process.ts';
import { AlreadyRunning } from '../supervision/run-record.ts';
import { UsageError } from '../terminal/arguments.ts';
import { createOutput, type Output } from '../terminal/style.ts';
import { audit } from './audit.ts';
import { bench } from './bench.ts';
import { ca } from './ca.ts';
import type { Command } from './command.ts';
import { demo } from './demo.ts';
import { keys } from './keys.ts';
import { listen } from './listen.ts';
import { reset } from './reset.ts';
import { secrets } from './secrets.ts';
import { start } from './start.ts';
import { status } from './status.ts';

const commands: readonly Command[] = [demo, start, listen, reset, status, audit, bench, ca, secrets, keys];

/**
 * Runs one command.
 * @returns its exit code: 0 success, 1 failure, 2 wrong usage
 */
export async function runCli(name: string, args: readonly string[]): Promise<number> {
  const output = createOutput();
  const errors = createOutput(process.stderr);
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const known = name === 'help' || name === '--help' || name === '-h';
    (known ? output : errors).line(overview(known ? undefined : name));
    return known ? 0 : 2;
  }
  if (command.help !== undefined && (args.includes('--help') || args.includes('-h'))) {
    output.line(command.help);
    return 0;
  }
  try {
    return await command.run({ args, env: process.env, cwd: process.cwd(), output });
  } catch (error) {
    return explain(errors, command, error);
  }
}

function overview(unknown: string | undefined): string {
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(8)} ${summary}`).join('\n');
  const complaint = unknown === undefined ? '' : `There is no command "${unknown}".\n\n`;
  return `${complaint}Rubrica's embedded stack. Commands:\n\n${list}\n\nEach explains itself with --help.`;
}

/** Prints faults that a person can correct as plain text, and all others with a stack trace. */
function explain(errors: Output, command: Command, error: unknown): number {
  if (error instanceof UsageError || error instanceof CopiesError) {
    errors.line(`\n  ${errors.bad('✘')} ${error.message}\n\n${command.help ?? ''}`);
    return 2;
  }
  const known = [MissingPiece, AlreadyRunning, StartFailure, RangeError].some(
    (kind) => error instanceof kind,
  );
  const text = known || !(error instanceof Error) ? String((error as Error).message ?? error) : error.stack;
  errors.line(`\n  ${errors.bad('✘')} ${text?.replaceAll('\n', '\n    ')}\n`);
  if (error instanceof AlreadyRunning)
    errors.line('  "npm run demo" uses it; Ctrl-C in its terminal stops it.\n');
  return 1;
}
