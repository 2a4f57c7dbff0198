import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Makes the package that others install, `pack.ts <target folder>`: JavaScript and declarations, because Node
 * strips no types below `node_modules`. Prints the path of the tarball.
 */
const target = resolve(process.argv[2] ?? '.');
const root = join(import.meta.dirname, '..');
const staging = mkdtempSync(join(tmpdir(), 'operators-pack-'));
try {
  const tsc = join(root, '..', '..', 'node_modules', '.bin', 'tsc');
  const build = ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(staging, 'dist')];
  execFileSync(tsc, build, { stdio: ['ignore', 'inherit', 'inherit'] });
  cpSync(join(root, 'README.md'), join(staging, 'README.md'));
  writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest(), null, 2));
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: staging });
  process.stdout.write(`${join(target, packed.toString().trim())}\n`);
} finally {
  rmSync(staging, { recursive: true });
}

function manifest(): object {
  const { name, version, description, license, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist', 'README.md'],
    dependencies,
  };
}
