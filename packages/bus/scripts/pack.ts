import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Builds the npm package, `pack.ts <target folder>`: JavaScript and declarations, because Node strips no types below
 * `node_modules`. Prints the path of the tarball.
 */
const target = resolve(process.argv[2] ?? '.');
const root = join(import.meta.dirname, '..');
const staging = mkdtempSync(join(tmpdir(), 'bus-pack-'));
try {
  const build = ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(staging, 'dist')];
  execFileSync(process.execPath, [bin('typescript', 'tsc'), ...build], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  cpSync(join(root, 'README.md'), join(staging, 'README.md'));
  writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest(), null, 2));
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: staging });
  process.stdout.write(`${join(target, packed.toString().trim())}\n`);
} finally {
  rmSync(staging, { recursive: true });
}

function manifest(): object {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { nats, ...trpc } = own.dependencies as Record<string, string>;
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    license: own.license,
    type: 'module',
    engines: { node: '>=22' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist', 'README.md'],
    dependencies: { nats: `^${nats}` },
    // Two copies of tRPC in one process do not recognise each other's errors.
    peerDependencies: Object.fromEntries(
      Object.entries(trpc).map(([name, version]) => [name, `^${version}`]),
    ),
  };
}

function bin(name: string, command: string): string {
  const found = import.meta.resolve(`${name}/package.json`);
  const { bin: bins } = JSON.parse(readFileSync(new URL(found), 'utf8'));
  return new URL(bins[command], found).pathname;
}
