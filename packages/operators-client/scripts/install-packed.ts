import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Installs the packed package into an empty folder, `install-packed.ts <folder>`, like a developer without this
 * repository. Its libraries are packed from those installed here, so that no registry is asked.
 */
const folder = resolve(process.argv[2] ?? '.');
const run = (command: string, args: readonly string[], cwd = folder) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/** Peer dependencies are tools of the compiling project, for example TypeScript. */
const install = ['install', '--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
const libraries = ['@trpc/client', '@trpc/server'].map((name) =>
  dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))),
);

writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
const own = run('npm', ['run', '--silent', 'pack:dist', '--', folder], join(import.meta.dirname, '..'));
const packed = libraries.map((path) => run('npm', ['pack', '--silent', '--ignore-scripts', path]));
run('npm', [...install, own, ...packed.map((name) => join(folder, name))]);
