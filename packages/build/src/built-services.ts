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
  /** Root of a checkout; default: this one. */
  readonly root?: string;
  /** Called before a build starts. */
  readonly onBuild?: () => void;
}

/**
 * Returns the folders with the built files of each service: `apps/<service>/dist/<fingerprint of its sources>`. It
 * builds missing ones first.
 */
export async function builtServices({ root = thisCheckout, onBuild }: BuildOptions = {}): Promise<Built> {
  const folders = services.map((service) => [service, toFolder(root, service)] as const);
  const missing = folders.filter(([, folder]) => !existsSync(folder));
  if (missing.length > 0) {
    onBuild?.();
    await build(root, new Map(missing));
  }
  const now = new Date();
  await Promise.all(folders.map(([, folder]) => utimes(folder, now, now)));
  return Object.fromEntries(folders) as Built;
}

function toFolder(root: string, service: Service): string {
  return join(root, 'apps', service, 'dist', fingerprint(root, `apps/${service}`));
}

/**
 * Builds into temporary folders and renames them, so that a folder with its name is complete, even if two builders run
 * at once. It uses its own process, because it takes 800 MB.
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
