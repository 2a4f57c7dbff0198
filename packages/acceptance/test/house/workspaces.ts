import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type ImportStatement, readImports } from './read-imports.ts';

export const root = join(import.meta.dirname, '../../../..');

export interface SourceFile {
  /** Path from the repository's root: `apps/intake/src/main.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly ImportStatement[];
}

export interface Workspace {
  /** `apps/intake` */
  readonly folder: string;
  /** `@rubrica/intake` */
  readonly name: string;
  readonly isApp: boolean;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** Files by entry such as `./database`; `./*` stays a pattern. */
  readonly exports: ReadonlyMap<string, string>;
  readonly files: readonly SourceFile[];
}

interface Manifest {
  readonly name: string;
  readonly exports?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

/** Lists files that git tracks or would add, without build results and caches. */
function listFiles(): string[] {
  const arguments_ = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', arguments_, { cwd: root, encoding: 'utf8' }).split('\n');
  return [...new Set(listed)].filter((path) => path !== '' && existsSync(join(root, path)));
}

export const repositoryFiles: readonly string[] = listFiles();

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, imports: readImports(text) };
}

function readWorkspace(manifestPath: string): Workspace {
  const folder = dirname(manifestPath);
  const manifest = JSON.parse(readFileSync(join(root, manifestPath), 'utf8')) as Manifest;
  const sources = repositoryFiles.filter((path) => path.startsWith(`${folder}/`) && /\.tsx?$/.test(path));
  return {
    folder,
    name: manifest.name,
    isApp: folder.startsWith('apps/'),
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    devDependencies: Object.keys(manifest.devDependencies ?? {}),
    exports: new Map(Object.entries(manifest.exports ?? {})),
    files: sources.map(readSource),
  };
}

export const workspaces: readonly Workspace[] = repositoryFiles
  .filter((path) => /^(apps|packages)\/[^/]+\/package\.json$/.test(path))
  .map(readWorkspace);

const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));

export function workspaceNamed(name: string): Workspace | undefined {
  return byName.get(name);
}

/** Returns the package of a specifier: `@mikro-orm/core/schema` belongs to `@mikro-orm/core`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Recognizes tests, benches, scripts and the examples of the documentation: code that does not run in production. */
export function isTest(path: string): boolean {
  return !/^(apps|packages)\/[^/]+\/src\//.test(path) || /\.test\.tsx?$|\/docs\/src\/examples\//.test(path);
}

/** Resolves an import to a file of the repository, as a path from its root. */
export function resolveImport(from: SourceFile, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from.path), specifier);
  const workspace = workspaceNamed(packageOf(specifier));
  if (workspace === undefined) return undefined;
  const entry = `.${specifier.slice(workspace.name.length)}`;
  const exact = workspace.exports.get(entry);
  const target = exact ?? workspace.exports.get('./*')?.replace('*', entry.slice(2));
  return target === undefined ? undefined : posix.join(workspace.folder, target);
}
