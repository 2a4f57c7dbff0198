import { copyFileSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildLibrary } from './build-library.ts';
import { publishedManifest } from './published-manifest.ts';

const top = join(import.meta.dirname, '../../..');
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Writes into `folder` what the package holds, and nothing else. */
export function layOut(library: string, folder: string): void {
  const own = readJson(join(library, 'package.json'));
  for (const name of ['README.md', ...own.files]) {
    const from = join(library, name);
    if (name !== 'dist' && existsSync(from)) cpSync(from, join(folder, name), { recursive: true });
  }
  fill(library, folder, own);
}

/** Where the library's own `package.json` waits while npm reads the other one. */
const aside = (library: string) => join(library, 'package.json.own');

/** Makes of a library's own folder what npm packs, until `tidyUp`: npm takes the manifest from nowhere else. */
export function layOutInPlace(library: string): void {
  tidyUp(library);
  copyFileSync(join(library, 'package.json'), aside(library));
  fill(library, library, readJson(aside(library)));
}

/** After `layOutInPlace`, or after one that was interrupted. Otherwise it does nothing. */
export function tidyUp(library: string): void {
  if (!existsSync(aside(library))) return;
  renameSync(aside(library), join(library, 'package.json'));
  for (const made of ['dist', 'LICENSE']) rmSync(join(library, made), { recursive: true, force: true });
}

function fill(library: string, folder: string, own: Parameters<typeof publishedManifest>[0]): void {
  buildLibrary(library, join(folder, 'dist'));
  copyFileSync(join(top, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = publishedManifest(own, readJson(join(top, 'package.json')), relative(top, library));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
