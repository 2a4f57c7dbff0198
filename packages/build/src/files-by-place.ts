import { basename, dirname, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

export interface FilesByPlace {
  readonly plugin: Plugin;
  /** What is to lie beside the built files: its name there, and where it lies now. */
  found(): ReadonlyMap<string, string>;
}

const byUrl = /new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g;
/** Finds packages, which keep their place. */
const byRequire = /createRequire\(import\.meta\.url\)/g;

/**
 * A source of ours names a file that it starts or reads in one way, `new URL('…', import.meta.url)`. All of these lie
 * beside the built files: a program under the name it was built by, anything else as a copy.
 * @param programs names and sources
 */
export function filesByPlace(programs: Readonly<Record<string, string>>): FilesByPlace {
  const found = new Map<string, string>();
  const nameOf = (path: string): string => {
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
          return `new URL('./${nameOf(resolve(dirname(id), path))}${end}', placeOfThis)`;
        });
        if (changed.replaceAll(byRequire, '').includes('import.meta')) {
          throw new Error(
            `${id} finds a file in a way that its built copy cannot: new URL('…', import.meta.url)`,
          );
        }
        // No line moves.
        return { code: changed.replaceAll('placeOfThis', 'import.meta.url'), map: null };
      },
    },
  };
  return { plugin, found: () => found };
}
