import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A program of this machine is missing, or its exit code was not 0; the message is for people. */
export class ImageFailure extends Error {}

/**
 * Runs a program.
 *
 * @returns its standard output, without the last line break
 * @throws {ImageFailure} with the last lines that it wrote
 */
export async function run(program: string, args: readonly string[], cwd?: string): Promise<string> {
  try {
    const { stdout } = await execute(program, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trimEnd();
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === 'ENOENT') throw new ImageFailure(`${program} is not on this machine.`);
    const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-30).join('\n');
    throw new ImageFailure(`${program} ${args.slice(0, 6).join(' ')} … failed:\n${said}`);
  }
}
