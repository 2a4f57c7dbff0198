import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program to run isolated, with the files that it may read. */
export interface CheckerProgram {
  readonly main: string;
  /** Code and libraries; no key and no setting is below any of these paths. */
  readonly readablePaths: readonly string[];
}

export const checkerProgram = describeProgram(fileURLToPath(new URL('checker-main.ts', import.meta.url)));

/** A built program lies beside the files that it loads. A source loads others of its workspace and of our packages. */
export function describeProgram(main: string): CheckerProgram {
  const folders = listFoldersUpwards(dirname(main));
  const libraries = folders.map((folder) => join(folder, 'node_modules'));
  const workspace = folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? dirname(main);
  const own = main.endsWith('.ts')
    ? ['src', 'package.json'].map((part) => join(workspace, part))
    : [dirname(main)];
  const packages = libraries.map((folder) => join(folder, '@rubrica', 'contracts'));
  return {
    main,
    readablePaths: [...own, ...libraries, ...packages]
      .filter((path) => existsSync(path))
      .map((path) => realpathSync(path)),
  };
}

function listFoldersUpwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listFoldersUpwards(parent)];
}
