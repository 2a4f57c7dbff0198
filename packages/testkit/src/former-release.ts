import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { replaceFile } from './put-in-place.ts';

const run = promisify(execFile);
const projectRoot = join(import.meta.dirname, '../../..');

/** Releases, oldest first. */
const releasesSchema = z.array(z.object({ version: z.string(), commit: z.string() }));
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), link: z.boolean().optional() })),
});

export interface FormerRelease {
  readonly version: string;
  readonly commit: string;
  /** A checkout with its packages installed; reused by the next run. */
  readonly folder: string;
}

/**
 * Checks if this clone contains the commit of the former release; a shallow one does not, nor does a copy without
 * `.git`.
 */
export function hasFormerRelease(): boolean {
  return hasCommit(newestRelease().commit);
}

export function hasCommit(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectRoot }).status === 0;
}

function newestRelease() {
  const text = readFileSync(join(projectRoot, 'deploy/releases.json'), 'utf8');
  const newest = releasesSchema.parse(JSON.parse(text)).at(-1);
  if (newest === undefined) throw new Error('deploy/releases.json names no release.');
  return newest;
}

/**
 * Checks out the newest release of `deploy/releases.json` in `.rubrica/releases`.
 * @throws Error with a message for a person if this clone lacks the release's commit, as a shallow one does
 */
export async function formerRelease(): Promise<FormerRelease> {
  const { version, commit } = newestRelease();
  return { version, commit, folder: await ensureCheckout({ version, commit }) };
}

/**
 * Checks a commit out in `.rubrica/releases`, with its packages, unless it exists there.
 * @returns folder of the checkout
 * @throws Error like `formerRelease`
 */
export async function ensureCheckout({
  version,
  commit,
}: Pick<FormerRelease, 'version' | 'commit'>): Promise<string> {
  const folder = join(projectRoot, '.rubrica/releases', `${version}-${commit.slice(0, 12)}`);
  if (!existsSync(folder)) await createCheckout(version, commit, folder);
  return folder;
}

/** Checks out into a temporary folder and moves it, so that an interrupted checkout does not look complete. */
async function createCheckout(version: string, commit: string, folder: string): Promise<void> {
  await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectRoot }).catch(() => {
    throw new Error(
      `Release ${version} is commit ${commit}, which this clone has not. Fetch it: git fetch --unshallow --tags`,
    );
  });
  await mkdir(join(folder, '..'), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    const archive = join(draft, 'release.tar');
    await run('git', ['archive', '--output', archive, commit], { cwd: projectRoot });
    await run('tar', ['-xf', archive, '-C', draft]);
    await rm(archive);
    await installPackages(draft);
    await replaceFile(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function installPackages(checkout: string): Promise<void> {
  if (process.platform === 'linux' && (await hasItsPackages(checkout))) {
    const modules = join(checkout, 'node_modules');
    await run('cp', ['-al', join(projectRoot, 'node_modules'), modules]);
    await rm(join(modules, '.cache'), { recursive: true, force: true });
    return;
  }
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout });
}

/**
 * Checks if every package of the release is installed here in its version; additional ones are allowed. A package that
 * only the release uses is a development dependency here until the next one.
 */
async function hasItsPackages(checkout: string): Promise<boolean> {
  const [required, installed] = await Promise.all([checkout, projectRoot].map(readVersions));
  return [...(required ?? [])].every(([place, version]) => installed?.get(place) === version);
}

async function readVersions(folder: string): Promise<Map<string, string | undefined>> {
  const lock = lockSchema.parse(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')));
  const installed = Object.entries(lock.packages).filter(
    ([place, { link }]) => place.includes('node_modules/') && !link,
  );
  return new Map(installed.map(([place, { version }]) => [place, version]));
}
