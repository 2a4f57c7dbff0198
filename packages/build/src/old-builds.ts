import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Number of builds to keep. A running stack starts threads and checkers from its own build, whatever is built later. */
const keptBuilds = 5;
const keptMs = 24 * 60 * 60 * 1000;

/** Removes builds that are neither recent nor in use. */
export async function removeOldBuilds(all: string): Promise<void> {
  const builds = await Promise.all(
    (await readdir(all)).map(async (name) => {
      const path = join(all, name);
      return { path, usedAt: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  const beyond = builds.sort((one, other) => other.usedAt - one.usedAt).slice(keptBuilds);
  const old = beyond.filter(({ usedAt }) => usedAt < Date.now() - keptMs);
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })));
}
