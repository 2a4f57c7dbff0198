import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Program to run isolated, with the files that it may read. */
export interface CheckerProgram {
  readonly main: string;
  /** Paths of code and libraries; no key and no setting is below any of them. */
  readonly readablePaths: readonly string[];
}

export const checkerProgram = describeProgram(fileURLToPath(new URL('checker-main.ts', import.meta.url)));

/**
 * Describes the files of a program. A built program loads files of its own folder. A source loads others of
 * its workspace and of our packages.
 */
export function describeProgram(main: string): CheckerProgram {
  const folders = listFoldersUpwards(dirname(main));
  const libraries = folders.map((folder) => join(folder, 'node_modules'));
  const workspace = folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? dirname(main);
  const ownPaths = main.endsWith('.ts')
    ? ['src', 'package.json'].map((part) => join(workspace, part))
    : [dirname(main)];
  const packages = libraries.map((folder) => join(folder, '@rubrica', 'contracts'));
  return {
    main,
    readablePaths: [...ownPaths, ...libraries, ...packages]
      .filter((path) => existsSync(path))
      .map((path) => realpathSync(path)),
  };
}

function listFoldersUpwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listFoldersUpwards(parent)];
}
