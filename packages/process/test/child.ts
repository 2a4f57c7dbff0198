import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type LogLine = { message?: string; [field: string]: unknown };

/** Runs a fixture as a process of its own; it is killed when the test ends, however it ends. */
export function startChild(fixture: string, env: Record<string, string> = {}) {
  const path = fileURLToPath(new URL(`./fixtures/${fixture}.ts`, import.meta.url));
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env.PATH, MANAGEMENT_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  const errors: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    output.push(line);
    for (const wake of waiting) wake();
  });
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const logged = (): LogLine[] =>
    output.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

  return {
    output,
    logged,
    errors: () => errors.join(''),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    exited: async () => {
      const [code, signal] = await closed;
      return { code, signal };
    },
    /** The first line with that message; fails if the child ends without it. */
    async line(message: string): Promise<LogLine> {
      for (;;) {
        const found = logged().find((entry) => entry.message === message);
        if (found) return found;
        const more = Promise.withResolvers<'more'>();
        waiting.add(() => more.resolve('more'));
        const next = await Promise.race([more.promise, closed.then(() => 'closed' as const)]);
        if (next === 'closed' && !logged().some((entry) => entry.message === message)) {
          throw new Error(`the child ended without "${message}":\n${output.join('\n')}\n${errors.join('')}`);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
