import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { listFilesByPath } from './files-by-place.ts';
import { nativeSpread } from './native-spread.ts';
import { packagesInImage, programs, type Service } from './programs.ts';
import { isWatched, watchedPaths } from './sources.ts';

export interface BundleOptions {
  readonly service: Service;
  /** Root of a checkout, or of a pruned copy with the packages that the service needs. */
  readonly root: string;
  /** Folder for the result; created if absent. */
  readonly into: string;
}

/**
 * Writes one file for each program of the service and one for their shared code, including all libraries. It removes
 * comments only. Removing whitespace too would save 2 MB of a running service, but leave stack traces without lines.
 */
export async function bundle({ service, root, into }: BundleOptions): Promise<void> {
  const input = Object.fromEntries(
    Object.entries(programs[service]).map(([name, source]) => [
      name,
      join(root, 'apps', service, 'src', source),
    ]),
  );
  const files = listFilesByPath(input);
  await using build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    // Types are removed as Node does, and a pruned copy contains no compiler settings.
    tsconfig: false,
    external: packagesInImage,
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
    // Keeps class names for logs, even if two classes of one name are in one file.
    keepNames: true,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  const watched = watchedPaths(root, `apps/${service}`);
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    const missed = chunk.moduleIds.find((id) => !isWatched(id, watched));
    if (missed !== undefined)
      throw new Error(`${missed} is built into ${service}, and no change of it is seen`);
  }
  for (const [name, path] of files.found()) await cp(path, join(into, name), { recursive: true });
}
