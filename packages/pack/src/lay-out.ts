import { copyFileSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildLibrary } from './build-library.ts';
import { publishedManifest } from './published-manifest.ts';

const top = join(import.meta.dirname, '../../..');
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Writes exactly the files of the package into `folder`. */
export function writePackage(library: string, folder: string): void {
  const own = readJson(join(library, 'package.json'));
  for (const name of ['README.md', ...own.files]) {
    const from = join(library, name);
    if (name !== 'dist' && existsSync(from)) cpSync(from, join(folder, name), { recursive: true });
  }
  fill(library, folder, own);
}

/** Path of the library's own `package.json` while npm reads the other one. */
const backupPath = (library: string) => join(library, 'package.json.own');

/** Prepares a library's own folder for npm, until `restorePackage`: npm reads the manifest only there. */
export function preparePackage(library: string): void {
  restorePackage(library);
  copyFileSync(join(library, 'package.json'), backupPath(library));
  fill(library, library, readJson(backupPath(library)));
}

/** Restores the folder after `preparePackage`, even after an interrupted one. Otherwise it does nothing. */
export function restorePackage(library: string): void {
  if (!existsSync(backupPath(library))) return;
  renameSync(backupPath(library), join(library, 'package.json'));
  for (const made of ['dist', 'LICENSE']) rmSync(join(library, made), { recursive: true, force: true });
}

function fill(library: string, folder: string, own: Parameters<typeof publishedManifest>[0]): void {
  buildLibrary(library, join(folder, 'dist'));
  copyFileSync(join(top, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = publishedManifest(own, readJson(join(top, 'package.json')), relative(top, library));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
