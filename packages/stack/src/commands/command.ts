import type { Output } from '../terminal/style.ts';

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Shown by `--help`; undefined for a program that explains itself. */
  readonly help: string | undefined;
  /** Resolves with the exit code. */
  run(context: CommandContext): Promise<number>;
}

export interface CommandContext {
  /** After the command's name. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly output: Output;
}

/** A fault of the person's own making, told without a stack trace. */
export class UsageError extends Error {}
