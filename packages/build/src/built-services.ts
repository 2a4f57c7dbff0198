import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removeOldBuilds } from './old-builds.ts';
import { type Built, programs, type Service } from './programs.ts';
import { fingerprint, thisCheckout } from './sources.ts';

const services = Object.keys(programs) as Service[];
const run = promisify(execFile);

export interface BuildOptions {
  /** A checkout; this one by default. */
  readonly root?: string;
  /** Called where there is something to build. */
  readonly onBuild?: () => void;
}

/**
 * Where the built files of each service lie: `apps/<service>/dist/<fingerprint of its sources>`. What is not there yet is
 * built before.
 */
export async function builtServices({ root = thisCheckout, onBuild }: BuildOptions = {}): Promise<Built> {
  const folders = services.map((service) => [service, folderOf(root, service)] as const);
  const missing = folders.filter(([, folder]) => !existsSync(folder));
  if (missing.length > 0) {
    onBuild?.();
    await build(root, new Map(missing));
  }
  const now = new Date();
  await Promise.all(folders.map(([, folder]) => utimes(folder, now, now)));
  return Object.fromEntries(folders) as Built;
}

function folderOf(root: string, service: Service): string {
  return join(root, 'apps', service, 'dist', fingerprint(root, `apps/${service}`));
}

/**
 * A folder that has its name is whole: it got it by a rename, also where two builders are at it. In a process of its own,
 * for it takes 800 MB.
 */
async function build(root: string, folders: ReadonlyMap<Service, string>): Promise<void> {
  const unfinished = new Map<Service, string>();
  for (const [service, folder] of folders) {
    await mkdir(dirname(folder), { recursive: true });
    unfinished.set(service, await mkdtemp(join(dirname(folder), 'unfinished-')));
  }
  const wanted = [...unfinished].map(([service, folder]) => `${service}=${folder}`);
  try {
    await run(process.execPath, [join(import.meta.dirname, 'main.ts'), '--root', root, ...wanted]);
    for (const [service, folder] of folders) {
      await rename(unfinished.get(service) ?? '', folder).catch((error) => {
        if (!existsSync(folder)) throw error;
      });
      await removeOldBuilds(dirname(folder));
    }
  } finally {
    for (const folder of unfinished.values()) await rm(folder, { recursive: true, force: true });
  }
}
