import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { until } from './poll.ts';
import { projectRoot } from './shell.ts';

/** One line of `npm run listen -- --json`. */
export interface ShownCall {
  readonly id: string;
  readonly event: string;
  readonly attempt: number;
  readonly signature: object;
  readonly answer: { readonly status: number };
  readonly saved: { readonly path: string } | null;
  readonly body: Readonly<Record<string, string>>;
}

/** Runs the listener of the stack in this data folder until it has shown this number of calls, then sends Ctrl-C. */
export async function listenAsPartner(
  home: string,
  options: readonly string[],
  { calls }: { calls: number },
): Promise<ShownCall[]> {
  const cli = join(projectRoot, 'packages/stack/src/cli.ts');
  const child = spawn(process.execPath, [cli, 'listen', '--json', '--port', '0', ...options], {
    env: { ...process.env, RUBRICA_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard = { out: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard.errors += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    const lines = () => heard.out.split('\n').filter((line) => line.endsWith('}'));
    await until(`${calls} calls`, () => lines().length >= calls || undefined, { seen: () => heard });
    child.kill('SIGINT');
    const code = await ended;
    if (code !== 0) throw new Error(`the listener ended with ${code}: ${heard.errors}`);
    return lines().map((line) => JSON.parse(line) as ShownCall);
  } finally {
    child.kill('SIGKILL');
  }
}
