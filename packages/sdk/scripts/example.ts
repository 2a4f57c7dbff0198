import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { baseUrl, partner } from '../examples/settings.ts';

/**
 * Runs an example or a program by its name, with the credentials of the stack of `npm start`: `example <name>
 * [options]`. npm's scripts use the Node.js that this project needs, whatever the machine has.
 */
const [name = '', ...options] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const file = [join('examples', `${name}.ts`), join('examples', name), join('programs', name)]
  .map((path) => join(root, path))
  .find((path) => extname(path) in runners() && existsSync(path));
if (file === undefined)
  throw new Error(`there is no example "${name}": see examples/README.md and programs/README.md`);
const classes = mkdtempSync(join(tmpdir(), 'example-'));
try {
  const [command = '', ...args] = runners()[extname(file)]?.(file) ?? [];
  const { status, error } = spawnSync(command, [...args, ...options], {
    // Relative paths refer to the folder in which the command was typed.
    cwd: process.env.INIT_CWD,
    stdio: 'inherit',
    env: {
      ...process.env,
      BASE_URL: baseUrl,
      CLIENT_ID: partner.clientId,
      CLIENT_SECRET: partner.clientSecret,
      WEBHOOK_SECRET: partner.webhookSecret,
    },
  });
  if (error !== undefined) throw error;
  process.exitCode = status ?? 1;
} finally {
  rmSync(classes, { recursive: true });
}

function runners(): Readonly<Record<string, (file: string) => string[]>> {
  return {
    '.ts': (program) => [process.execPath, program],
    // No `__pycache__` among versioned files.
    '.py': (program) => ['python3', '-B', program],
    '.java': (program) => ['java', '-cp', compile(dirname(program)), basename(program, '.java')],
  };
}

function compile(folder: string): string {
  const sources = readdirSync(folder).map((source) => join(folder, source));
  execFileSync('javac', ['-encoding', 'UTF-8', '-d', classes, ...sources], { stdio: 'inherit' });
  return classes;
}
