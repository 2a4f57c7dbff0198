import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

const workspace = join(import.meta.dirname, '../..');

/** The blocks of commands of a README of this workspace, in their order. */
export async function commandsOf(readme: string): Promise<string[]> {
  const text = await readFile(join(workspace, readme), 'utf8');
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block);
}

export interface Typed {
  /** What stands in the README, and what it is here: folders above all. */
  readonly instead: Readonly<Record<string, string>>;
  /** What an operator types for each variable that is read. */
  readonly typed: Readonly<Record<string, string>>;
}

/** Runs a block as an operator does who copies it into a shell without any settings of ours. */
export async function runCommands(
  block: string,
  { instead, typed }: Typed,
): Promise<{ code: number; said: string }> {
  let script = block;
  for (const [written, here] of Object.entries(instead)) script = script.replaceAll(written, here);
  const lines = [...block.matchAll(/\bread -r(?:s)? (\w+)/g)].map(([, name = '']) => {
    const value = typed[name];
    if (value === undefined) throw new Error(`nobody knows what to type for ${name}`);
    return `${value}\n`;
  });
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('bash', ['-euc', script], { cwd: workspace, env: { PATH, HOME } });
  child.stdin.end(lines.join(''));
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
  const [out, err, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), exited]);
  return { code, said: `${out}${err}` };
}
