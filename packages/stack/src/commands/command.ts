import type { Output } from '../terminal/style.ts';

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Text of `--help`; undefined for a program that prints its own help. */
  readonly help: string | undefined;
  /** Resolves with the exit code. */
  run(context: CommandContext): Promise<number>;
}

export interface CommandContext {
  /** Arguments after the command's name. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly output: Output;
}
