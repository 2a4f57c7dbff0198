import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const formats = {
  esm: { type: 'module', options: ['--module', 'nodenext'] },
  // The sources are ES modules to the compiler, whose syntax this format cannot keep as it is.
  cjs: {
    type: 'commonjs',
    options: ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'],
  },
} as const;

/**
 * JavaScript and declarations of a library, for `import` and for `require`: Node strips no types below `node_modules`.
 * What `target` held before is gone.
 *
 * @throws Error where the library's `tsconfig.build.json` finds a fault
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
    nameWhatIsThere(folder);
  }
}

/** The compiler leaves `./x.ts` in declarations, where there is `./x.js`: not every TypeScript looks further. */
function nameWhatIsThere(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith('.d.ts'))) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/((?:from|import\()\s*')(\.{1,2}\/[^']+)\.ts'/g, "$1$2.js'"));
  }
}
