import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const formats = {
  esm: { type: 'module', options: ['--module', 'nodenext'] },
  // The compiler treats the sources as ES modules, whose syntax this format cannot preserve.
  cjs: {
    type: 'commonjs',
    options: ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'],
  },
} as const;

/**
 * Compiles a library to JavaScript and declarations, for `import` and for `require`: Node does not strip types under
 * `node_modules`. It removes the previous content of `target`.
 *
 * @throws Error if the library's `tsconfig.build.json` finds a fault
 */
export function buildLibrary(library: string, target: string): void {
  const tsc = join(import.meta.dirname, '../../../node_modules/.bin/tsc');
  const project = join(library, 'tsconfig.build.json');
  rmSync(target, { recursive: true, force: true });
  for (const [format, { type, options }] of Object.entries(formats)) {
    const folder = join(target, format);
    const build = ['-p', project, '--outDir', folder, ...options];
    mkdirSync(folder, { recursive: true });
    execFileSync(tsc, build, { stdio: ['ignore', 'inherit', 'inherit'] });
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
    fixImportPaths(folder);
  }
}

/**
 * Replaces `./x.ts` in declarations, which the compiler leaves, with `./x.js`, which exists: not every TypeScript
 * resolves the former.
 */
function fixImportPaths(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith('.d.ts'))) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/((?:from|import\()\s*')(\.{1,2}\/[^']+)\.ts'/g, "$1$2.js'"));
  }
}
