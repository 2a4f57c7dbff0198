import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { filesByPlace } from './files-by-place.ts';
import { nativeSpread } from './native-spread.ts';
import { packagesKept, programs, type Service } from './programs.ts';
import { isWatched, watchedPlaces } from './sources.ts';

export interface BundleOptions {
  readonly service: Service;
  /** A checkout, or a pruned copy of one with the packages that the service needs. */
  readonly root: string;
  /** Folder for the result; made where absent. */
  readonly into: string;
}

/**
 * One file for each program of the service and one for what several share, with all libraries in them. Without
 * comments, and otherwise as written: whitespace taken out as well saves 2 MB of a running service, and leaves stack
 * traces without lines.
 */
export async function bundle({ service, root, into }: BundleOptions): Promise<void> {
  const input = Object.fromEntries(
    Object.entries(programs[service]).map(([name, source]) => [
      name,
      join(root, 'apps', service, 'src', source),
    ]),
  );
  const files = filesByPlace(input);
  await using build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    // Types are taken out as Node does, and a pruned copy has no settings of the compiler.
    tsconfig: false,
    external: packagesKept,
    plugins: [files.plugin, nativeSpread],
    logLevel: 'warn',
    onLog(_level, { message }) {
      throw new Error(`${service} cannot be built: ${message}`);
    },
  });
  const { output } = await build.write({
    dir: into,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'shared-[name]-[hash].mjs',
    comments: false,
    charset: 'ascii',
    // Classes say their names in logs, also where two of one name meet in one file.
    keepNames: true,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  const watched = watchedPlaces(root, `apps/${service}`);
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    const missed = chunk.moduleIds.find((id) => !isWatched(id, watched));
    if (missed !== undefined)
      throw new Error(`${missed} is built into ${service}, and no change of it is seen`);
  }
  for (const [name, path] of files.found()) await cp(path, join(into, name), { recursive: true });
}
