import { basename, dirname, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

export interface FilesByPath {
  readonly plugin: Plugin;
  /** Lists files that must lie beside the built files: their names there, and their current paths. */
  found(): ReadonlyMap<string, string>;
}

const byUrl = /new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g;
/** Matches `createRequire`, which finds packages; those stay in place. */
const byRequire = /createRequire\(import\.meta\.url\)/g;

/**
 * Finds the files that sources start or read. Sources name such a file in one way, `new URL('…', import.meta.url)`. All
 * of these lie beside the built files: a program under the name of its build, any other file as a copy.
 * @param programs names and sources
 */
export function listFilesByPath(programs: Readonly<Record<string, string>>): FilesByPath {
  const found = new Map<string, string>();
  const toBuiltName = (path: string): string => {
    const program = Object.entries(programs).find(([, source]) => source === path);
    if (program !== undefined) return `${program[0]}.mjs`;
    const name = basename(path);
    if ((found.get(name) ?? path) !== path) throw new Error(`two files are called ${name}: ${path}`);
    found.set(name, path);
    return name;
  };
  const plugin: Plugin = {
    name: 'files by place',
    transform: {
      filter: { id: { include: /\.ts$/, exclude: /node_modules/ }, code: 'import.meta' },
      handler(code, id) {
        const changed = code.replaceAll(byUrl, (_, path: string) => {
          const end = path.endsWith('/') ? '/' : '';
          return `new URL('./${toBuiltName(resolve(dirname(id), path))}${end}', placeOfThis)`;
        });
        if (changed.replaceAll(byRequire, '').includes('import.meta')) {
          throw new Error(
            `${id} finds a file in a way that its built copy cannot: new URL('…', import.meta.url)`,
          );
        }
        // Line numbers stay the same.
        return { code: changed.replaceAll('placeOfThis', 'import.meta.url'), map: null };
      },
    },
  };
  return { plugin, found: () => found };
}
